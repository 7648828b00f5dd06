/** Which oddities end in files to look at: of each kind on each version that fails the smallest formula. */

import type { Runs } from '../solver/index.js';
import type { EventOf } from './events.js';
import type { FailingCase, OddityLocation, OddityRecord } from './hunt-data.js';
import { versionsSaying } from './anomaly.js';

/** One has likely the same cause as the next; nobody waits for the tenth. */
const mostCases = 3;

/** @param oddities those that say the most first */
export function failingCases(oddities: readonly OddityRecord[]): readonly FailingCase[] {
  const smallest = new Map<string, FailingCase>();
  for (const found of oddities.flatMap((oddity) => casesOf(oddity, oddities))) {
    const key = `${found.oddity.kind} ${found.version}`;
    const other = smallest.get(key);
    if (other === undefined || isBetter(found, other)) smallest.set(key, found);
  }
  const seen = new Set<string>();
  // A disagreement that a wrong model decides is there twice.
  const distinct = [...smallest.values()].filter(({ oddity, version }) => {
    const key = `${version} ${oddity.text}`;
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, mostCases);
}

/** One that is known to be wrong before one that is suspected, then the smaller one, then the one that was met first. */
function isBetter(one: FailingCase, other: FailingCase): boolean {
  if (one.isAssumed !== other.isAssumed) return other.isAssumed;
  return one.oddity.text.length < other.oddity.text.length;
}

function casesOf(oddity: OddityRecord, all: readonly OddityRecord[]): readonly FailingCase[] {
  switch (oddity.kind) {
    case 'disagreement': {
      const claims = all.filter(({ text, claim }) => claim !== undefined && text === oddity.text);
      const wrong = claims.map(({ claim }) => claim?.version ?? 0);
      return disagreement(oddity, wrong.length === 0 ? undefined : Math.max(...wrong));
    }
    case 'wrong-model':
      return oddity.claim === undefined ? [] : [caseOf(oddity, oddity.claim.version)];
    case 'crash':
    case 'error':
      return placesOf(oddity.runs, oddity.kind).map((version) => caseOf(oddity, version));
    default:
      return [];
  }
}

/** @param wrong the version that is shown to be */
function disagreement(oddity: OddityRecord, wrong: number | undefined): readonly FailingCase[] {
  const { sat, unsat } = sidesOf(oddity);
  const version = wrong ?? Math.max(...sat, ...unsat);
  const own = sat.includes(version) ? sat : unsat;
  if (!own.includes(version)) return [];
  const { references, ...found } = caseOf(oddity, version);
  // Those who say the same are no help.
  const others = references.filter((at) => !own.includes(at));
  return [{ ...found, isAssumed: wrong === undefined, references: others }];
}

/** The same disagreement, once a model of one side was found to hold: the newest of the others is wrong. */
export function decidedCase(found: FailingCase): FailingCase {
  const { unsat } = sidesOf(found.oddity);
  return disagreement(found.oddity, Math.max(...unsat))[0] ?? found;
}

/** Who says what. */
export function sidesOf({ runs }: OddityRecord): {
  readonly sat: readonly number[];
  readonly unsat: readonly number[];
} {
  return { sat: versionsSaying(runs, 'sat'), unsat: versionsSaying(runs, 'unsat') };
}

/** Those who answer before those who do not, and the newest first; those who fail in the same way are no help. */
function caseOf(oddity: OddityRecord, version: number): FailingCase {
  const { runs, kind } = oddity;
  const others = runs
    .flatMap((run, at) => (at === version || run?.outcome === kind ? [] : [at]))
    .toReversed();
  const isAnswering = (at: number): boolean => runs[at]?.outcome === 'sat' || runs[at]?.outcome === 'unsat';
  const references = [...others.filter(isAnswering), ...others.filter((at) => !isAnswering(at))];
  return { oddity, version, isAssumed: false, references };
}

function placesOf(runs: Runs, outcome: 'crash' | 'error'): readonly number[] {
  return runs.flatMap((run, at) => (run?.outcome === outcome ? [at] : []));
}

/** What came of each case: of that very formula, else of another one that the same version failed on in the same way. */
export function locationsOf(
  oddities: readonly OddityRecord[],
  located: readonly EventOf<'located'>[],
): readonly OddityLocation[] {
  const records = new Map(oddities.map((oddity) => [oddity.id, oddity]));
  return failingCases(oddities).map((found): OddityLocation => {
    const known =
      located.findLast(({ oddity }) => oddity === found.oddity.id) ??
      located.findLast(
        ({ oddity, version }) => version === found.version && records.get(oddity)?.kind === found.oddity.kind,
      );
    const oddity = known && records.get(known.oddity);
    if (known === undefined || oddity === undefined) return { ...found, on: undefined, result: undefined };
    const { version, isAssumed, on, result } = known;
    return { ...found, oddity, version, isAssumed, on, result };
  });
}
