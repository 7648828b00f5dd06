/** What runs show besides slowness. It is recorded and reported, and kept apart: a crash is not a slowdown. */

import { isUnanswered, type Outcome, type Run, type Runs, type Slowness } from '../solver/index.js';
import type { WrongModel } from './events.js';

export type Anomaly =
  /** Two versions contradict each other: one of them is wrong. */
  | { readonly kind: 'disagreement'; readonly sat: readonly number[]; readonly unsat: readonly number[] }
  /** A version says sat and claims a model under which the formula is false. */
  | { readonly kind: 'wrong-model'; readonly version: number; readonly claim: WrongModel }
  /** A version ends in a way it should not. */
  | { readonly kind: 'crash' | 'memout' | 'error'; readonly version: number; readonly message: string }
  /** `lost`: the newest version gives up where an older one answers. `unanswered`: it works on where one gave up. */
  | { readonly kind: 'lost' | 'unanswered'; readonly version: number };

/** The anomalies of one formula's runs; those that say the most first. */
export function anomaliesIn(
  runs: Runs,
  slowness: Slowness,
  wrongModels: readonly WrongModel[] = [],
): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const [sat, unsat] = [versionsSaying(runs, 'sat'), versionsSaying(runs, 'unsat')];
  if (sat.length > 0 && unsat.length > 0) found.push({ kind: 'disagreement', sat, unsat });
  for (const claim of wrongModels) found.push({ kind: 'wrong-model', version: claim.version, claim });
  runs.forEach((run, version) => {
    if (run?.outcome === 'crash') found.push({ kind: 'crash', version, message: run.signal });
    else if (run?.outcome === 'memout') found.push({ kind: 'memout', version, message: '' });
    // What every version refuses is wrong with the formula.
    else if (run?.outcome === 'error' && runs.some((other) => other !== undefined && isSound(other)))
      found.push({ kind: 'error', version, message: run.message });
  });
  if (runs.at(-1)?.outcome === 'unknown' && (sat.length > 0 || unsat.length > 0))
    found.push({ kind: 'lost', version: runs.length - 1 });
  if (isUnanswered(runs, slowness)) found.push({ kind: 'unanswered', version: runs.length - 1 });
  return found;
}

const sound: ReadonlySet<Outcome> = new Set(['sat', 'unsat', 'unknown', 'timeout']);

function isSound(run: Run): boolean {
  return sound.has(run.outcome);
}

/** Formulas with several questions disagree if the answers to one of them do; the journal keeps them all. */
export function versionsSaying(runs: Runs, answer: 'sat' | 'unsat'): readonly number[] {
  const checks = Math.max(0, ...runs.map((run) => run?.answers.length ?? 0));
  const opposite = answer === 'sat' ? 'unsat' : 'sat';
  for (let check = 0; check < checks; check++) {
    const at = (word: string): readonly number[] =>
      runs.flatMap((run, version) =>
        run !== undefined && isSound(run) && run.answers[check] === word ? [version] : [],
      );
    if (at(answer).length > 0 && (checks === 1 || at(opposite).length > 0)) return at(answer);
  }
  return runs.flatMap((run, version) => (run?.outcome === answer ? [version] : []));
}
