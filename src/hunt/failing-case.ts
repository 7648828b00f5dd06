/** Which anomalies end in files to look at: of each kind on each version that fails the smallest formula. */

import type { Runs } from '../solver/index.js';
import { versionsSaying } from './anomaly.js';
import type { EventOf } from './events.js';
import type { AnomalyLocation, AnomalyRecord, FailingCase } from './hunt-data.js';

/** One has likely the same cause as the next; nobody waits for the tenth. */
const mostCases = 3;

/** @param anomalies those that say the most first */
export function failingCases(anomalies: readonly AnomalyRecord[]): readonly FailingCase[] {
  const smallest = new Map<string, FailingCase>();
  for (const found of anomalies.flatMap((anomaly) => casesOf(anomaly, anomalies))) {
    const key = `${found.anomaly.kind} ${found.version}`;
    const other = smallest.get(key);
    if (other === undefined || isBetter(found, other)) smallest.set(key, found);
  }
  const seen = new Set<string>();
  // A disagreement that a wrong model decides is there twice.
  const distinct = [...smallest.values()].filter(({ anomaly, version }) => {
    const key = `${version} ${anomaly.text}`;
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, mostCases);
}

/** One that is known to be wrong before one that is suspected, then the smaller one, then the one that was met first. */
function isBetter(one: FailingCase, other: FailingCase): boolean {
  if (one.isAssumed !== other.isAssumed) return other.isAssumed;
  return one.anomaly.text.length < other.anomaly.text.length;
}

function casesOf(anomaly: AnomalyRecord, all: readonly AnomalyRecord[]): readonly FailingCase[] {
  switch (anomaly.kind) {
    case 'disagreement': {
      const claims = all.filter(({ text, claim }) => claim !== undefined && text === anomaly.text);
      const wrong = claims.map(({ claim }) => claim?.version ?? 0);
      return disagreement(anomaly, wrong.length === 0 ? undefined : Math.max(...wrong));
    }
    case 'wrong-model':
      return anomaly.claim === undefined ? [] : [caseOf(anomaly, anomaly.claim.version)];
    case 'crash':
    case 'error':
      return placesOf(anomaly.runs, anomaly.kind).map((version) => caseOf(anomaly, version));
    default:
      return [];
  }
}

/** @param wrong the version that is shown to be */
function disagreement(anomaly: AnomalyRecord, wrong: number | undefined): readonly FailingCase[] {
  const { sat, unsat } = sidesOf(anomaly);
  const version = wrong ?? Math.max(...sat, ...unsat);
  const own = sat.includes(version) ? sat : unsat;
  if (!own.includes(version)) return [];
  const { references, ...found } = caseOf(anomaly, version);
  // Those who say the same are no help.
  const others = references.filter((at) => !own.includes(at));
  return [{ ...found, isAssumed: wrong === undefined, references: others }];
}

/** The same disagreement, once a model of one side was found to hold: the newest of the others is wrong. */
export function decidedCase(found: FailingCase): FailingCase {
  const { unsat } = sidesOf(found.anomaly);
  return disagreement(found.anomaly, Math.max(...unsat))[0] ?? found;
}

/** Who says what. */
export function sidesOf({ runs }: AnomalyRecord): {
  readonly sat: readonly number[];
  readonly unsat: readonly number[];
} {
  return { sat: versionsSaying(runs, 'sat'), unsat: versionsSaying(runs, 'unsat') };
}

/** Those who answer before those who do not, and the newest first; those who fail in the same way are no help. */
function caseOf(anomaly: AnomalyRecord, version: number): FailingCase {
  const { runs, kind } = anomaly;
  const others = runs
    .flatMap((run, at) => (at === version || run?.outcome === kind ? [] : [at]))
    .toReversed();
  const isAnswering = (at: number): boolean => runs[at]?.outcome === 'sat' || runs[at]?.outcome === 'unsat';
  const references = [...others.filter(isAnswering), ...others.filter((at) => !isAnswering(at))];
  return { anomaly, version, isAssumed: false, references };
}

function placesOf(runs: Runs, outcome: 'crash' | 'error'): readonly number[] {
  return runs.flatMap((run, at) => (run?.outcome === outcome ? [at] : []));
}

/** What came of each case: of that very formula, else of another one that the same version failed on in the same way. */
export function locationsOf(
  anomalies: readonly AnomalyRecord[],
  located: readonly EventOf<'located'>[],
): readonly AnomalyLocation[] {
  const records = new Map(anomalies.map((anomaly) => [anomaly.id, anomaly]));
  return failingCases(anomalies).map((found): AnomalyLocation => {
    const known =
      located.findLast(({ oddity }) => oddity === found.anomaly.id) ??
      located.findLast(
        ({ oddity, version }) =>
          version === found.version && records.get(oddity)?.kind === found.anomaly.kind,
      );
    const anomaly = known && records.get(known.oddity);
    if (known === undefined || anomaly === undefined) return { ...found, on: undefined, result: undefined };
    const { version, isAssumed, on, result } = known;
    return { ...found, anomaly, version, isAssumed, on, result };
  });
}
