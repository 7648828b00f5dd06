import type { Program } from '../version/version.js';

/** One way to get a version, as far as choosing needs to know it. */
export interface Choice {
  readonly kind: Program['kind'];
  readonly here: boolean;
}

/** Everything that could be had for one version, best source first. */
export interface Choices<One extends Choice> {
  /** Versions of one engine are compared before all others. */
  readonly engine: string;
  readonly choices: readonly One[];
}

const kinds = ['native', 'wasm'] as const;

/**
 * Picks one choice for each version. WASM and native times are not comparable, so all are native or all are WASM if
 * that is possible; else all of each engine; else each is the best by itself. Among equal ways the one with fewer
 * downloads wins, then the native one. A version without any choice stays undefined.
 */
export function choose<One extends Choice>(versions: readonly Choices<One>[]): readonly (One | undefined)[] {
  const together = sameKind(versions);
  if (together !== undefined) return together;
  const picked = new Map<Choices<One>, One | undefined>();
  for (const engine of new Set(versions.map((version) => version.engine))) {
    const group = versions.filter((version) => version.engine === engine);
    const best = sameKind(group) ?? group.map(({ choices }) => byPreference(choices)[0]);
    group.forEach((version, at) => {
      picked.set(version, best[at]);
    });
  }
  return versions.map((version) => picked.get(version));
}

function sameKind<One extends Choice>(versions: readonly Choices<One>[]): readonly One[] | undefined {
  const ways = kinds.flatMap((kind) => {
    const way = versions.flatMap(
      ({ choices }) => byPreference(choices).find((one) => one.kind === kind) ?? [],
    );
    return way.length === versions.length ? [way] : [];
  });
  // The sort is stable, so native stays first among equals.
  return ways.sort((a, b) => downloads(a) - downloads(b))[0];
}

/** What is on the machine comes first, then native before WASM, then the order of the sources. */
function byPreference<One extends Choice>(choices: readonly One[]): readonly One[] {
  const rank = (one: One) => (one.here ? 0 : 2) + (one.kind === 'native' ? 0 : 1);
  return [...choices].sort((a, b) => rank(a) - rank(b));
}

function downloads(way: readonly Choice[]): number {
  return way.filter((one) => !one.here).length;
}
