/** Negative if `a` is the older release. Missing parts count as zero, so `1.8` equals `1.8.0`. */
export function compareReleases(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Up to `count` releases around `wanted`, oldest first: half of them before it and half after, if there are enough.
 */
export function nearestReleases(wanted: string, available: Iterable<string>, count = 4): readonly string[] {
  const sorted = [...new Set(available)].sort(compareReleases);
  const firstAfter = sorted.findIndex((release) => compareReleases(release, wanted) >= 0);
  const middle = firstAfter === -1 ? sorted.length : firstAfter;
  const start = Math.max(0, Math.min(middle - Math.floor(count / 2), sorted.length - count));
  return sorted.slice(start, start + count);
}

function parts(release: string): readonly number[] {
  return release.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
