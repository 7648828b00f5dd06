/** Anomalies: everything besides slowness that a formula's runs show. They are reported apart from slowdowns. */

import { isUnanswered, type Outcome, type Run, type Runs, type Slowness } from '../solver/index.js';
import type { WrongModel } from './events.js';

export type Anomaly =
  /** Two versions contradict each other, so one of them is wrong. */
  | { readonly kind: 'disagreement'; readonly sat: readonly number[]; readonly unsat: readonly number[] }
  /** A version answers sat with a model under which the formula is false. */
  | { readonly kind: 'wrong-model'; readonly version: number; readonly claim: WrongModel }
  | { readonly kind: 'crash' | 'memout' | 'error'; readonly version: number; readonly message: string }
  /**
   * `lost`: the newest version answers unknown although another version answers. `unanswered`: the newest version
   * times out although an older one gave up early.
   */
  | { readonly kind: 'lost' | 'unanswered'; readonly version: number };

/** The anomalies in one formula's runs, the most telling first. */
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
    // An error in every version is the formula's fault.
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

/**
 * Versions that give this answer. With several check-sat commands: at the first check on which versions contradict
 * each other.
 */
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
