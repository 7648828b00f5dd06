import type { Program } from '../version/version.js';

/** One way to get a version, as far as choosing needs to know it. */
export interface VersionChoice {
  readonly kind: Program['kind'];
  readonly here: boolean;
}

/** Everything that could be had for one version, best source first. */
export interface VersionChoices<Way extends VersionChoice> {
  /** Versions of one engine are compared before all others. */
  readonly engine: string;
  readonly choices: readonly Way[];
}

const kinds = ['native', 'wasm'] as const;

/**
 * Picks one choice for each version. WASM and native times are not comparable, so all are native or all are WASM if
 * that is possible; else all of each engine; else each is the best by itself. Among equal ways the one with fewer
 * downloads wins, then the native one. A version without any choice stays undefined.
 */
export function choose<Way extends VersionChoice>(
  versions: readonly VersionChoices<Way>[],
): readonly (Way | undefined)[] {
  const together = sameKind(versions);
  if (together !== undefined) return together;
  const picked = new Map<VersionChoices<Way>, Way | undefined>();
  for (const engine of new Set(versions.map((version) => version.engine))) {
    const group = versions.filter((version) => version.engine === engine);
    const best = sameKind(group) ?? group.map(({ choices }) => byPreference(choices)[0]);
    group.forEach((version, at) => {
      picked.set(version, best[at]);
    });
  }
  return versions.map((version) => picked.get(version));
}

function sameKind<Way extends VersionChoice>(
  versions: readonly VersionChoices<Way>[],
): readonly Way[] | undefined {
  const ways = kinds.flatMap((kind) => {
    const way = versions.flatMap(
      ({ choices }) => byPreference(choices).find((choice) => choice.kind === kind) ?? [],
    );
    return way.length === versions.length ? [way] : [];
  });
  // The sort is stable, so native stays first among equals.
  return ways.sort((a, b) => downloads(a) - downloads(b))[0];
}

/** What is on the machine comes first, then native before WASM, then the order of the sources. */
function byPreference<Way extends VersionChoice>(choices: readonly Way[]): readonly Way[] {
  const rank = (choice: Way) => (choice.here ? 0 : 2) + (choice.kind === 'native' ? 0 : 1);
  return [...choices].sort((a, b) => rank(a) - rank(b));
}

function downloads(way: readonly VersionChoice[]): number {
  return way.filter((choice) => !choice.here).length;
}
