import type { Program } from '../version/version.js';

/** The facts about one way to get a version that the choice depends on. */
export interface VersionChoice {
  readonly kind: Program['kind'];
  readonly isLocal: boolean;
}

/** All ways to get one version, the preferred source first. */
export interface VersionChoices<Way extends VersionChoice> {
  /** Versions of one engine are compared with each other before all others. */
  readonly engine: string;
  readonly choices: readonly Way[];
}

const kinds = ['native', 'wasm'] as const;

/**
 * Picks one choice for each version. WASM and native times are not comparable. If possible, all versions are
 * therefore native or all are WASM; else all versions of each engine; else each version takes its own best choice.
 * Between equal choices, the one with fewer downloads wins, then native. A version without a choice is undefined.
 */
export function choose<Way extends VersionChoice>(
  versions: readonly VersionChoices<Way>[],
): readonly (Way | undefined)[] {
  const sameForAll = sameKind(versions);
  if (sameForAll !== undefined) return sameForAll;
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

/** Local before downloads, then native before WASM, then the order of the sources. */
function byPreference<Way extends VersionChoice>(choices: readonly Way[]): readonly Way[] {
  const rank = (choice: Way) => (choice.isLocal ? 0 : 2) + (choice.kind === 'native' ? 0 : 1);
  return [...choices].sort((a, b) => rank(a) - rank(b));
}

function downloads(way: readonly VersionChoice[]): number {
  return way.filter((choice) => !choice.isLocal).length;
}
