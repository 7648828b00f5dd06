/** Selects the anomalies to localize: the smallest formula of each kind on each failing version. */

import type { Runs } from '../solver/index.js';
import { versionsSaying } from './anomaly.js';
import type { EventOf } from './events.js';
import type { AnomalyLocation, AnomalyRecord, FailingCase } from './hunt-data.js';

/** Further cases likely have the same causes. */
const mostCases = 3;

/** @param anomalies the most telling first */
export function failingCases(anomalies: readonly AnomalyRecord[]): readonly FailingCase[] {
  const smallest = new Map<string, FailingCase>();
  for (const found of anomalies.flatMap((anomaly) => casesOf(anomaly, anomalies))) {
    const key = `${found.anomaly.kind} ${found.version}`;
    const other = smallest.get(key);
    if (other === undefined || isBetter(found, other)) smallest.set(key, found);
  }
  const seen = new Set<string>();
  // A disagreement that a wrong model decides is listed as both.
  const distinct = [...smallest.values()].filter(({ anomaly, version }) => {
    const key = `${version} ${anomaly.text}`;
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, mostCases);
}

/** Prefers proven failures to suspected ones, then smaller formulas. */
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
      return versionsWithOutcome(anomaly.runs, anomaly.kind).map((version) => caseOf(anomaly, version));
    default:
      return [];
  }
}

/** @param wrong the version that is proven wrong */
function disagreement(anomaly: AnomalyRecord, wrong: number | undefined): readonly FailingCase[] {
  const { sat, unsat } = sidesOf(anomaly);
  const version = wrong ?? Math.max(...sat, ...unsat);
  const own = sat.includes(version) ? sat : unsat;
  if (!own.includes(version)) return [];
  const { references, ...found } = caseOf(anomaly, version);
  // Versions that give the same answer are no reference.
  const others = references.filter((at) => !own.includes(at));
  return [{ ...found, isAssumed: wrong === undefined, references: others }];
}

/** The same disagreement after a model proved sat right: the newest version that says unsat is wrong. */
export function decidedCase(found: FailingCase): FailingCase {
  const { unsat } = sidesOf(found.anomaly);
  return disagreement(found.anomaly, Math.max(...unsat))[0] ?? found;
}

/** The versions on each side of a disagreement. */
export function sidesOf({ runs }: AnomalyRecord): {
  readonly sat: readonly number[];
  readonly unsat: readonly number[];
} {
  return { sat: versionsSaying(runs, 'sat'), unsat: versionsSaying(runs, 'unsat') };
}

/** References: versions that answer first, then the newest. Versions that fail in the same way are excluded. */
function caseOf(anomaly: AnomalyRecord, version: number): FailingCase {
  const { runs, kind } = anomaly;
  const others = runs
    .flatMap((run, at) => (at === version || run?.outcome === kind ? [] : [at]))
    .toReversed();
  const isAnswering = (at: number): boolean => runs[at]?.outcome === 'sat' || runs[at]?.outcome === 'unsat';
  const references = [...others.filter(isAnswering), ...others.filter((at) => !isAnswering(at))];
  return { anomaly, version, isAssumed: false, references };
}

function versionsWithOutcome(runs: Runs, outcome: 'crash' | 'error'): readonly number[] {
  return runs.flatMap((run, at) => (run?.outcome === outcome ? [at] : []));
}

/**
 * Pairs each case with its localization result: that of its own formula, or of another formula on which the same
 * version fails in the same way.
 */
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
