/** The name a user most likely meant: the one fewest typing slips away, if it is close enough to be worth saying. */
export function nearestName(typed: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const slips = typingSlips(typed.toLowerCase(), name.toLowerCase());
    if (slips < fewest) {
      fewest = slips;
      best = name;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function typingSlips(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
