/** A model that a version claims for a formula: does it hold? */

import { Fault, type Limits } from '../../machine/index.js';
import { isTrueUnder, type Script } from '../../smtlib/index.js';
import type { Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import { checkModel, definitionsIn, type ModelVerdict } from './disagreement.js';

export type ClaimVerdict =
  /** The formula is true under it. */
  | { readonly kind: 'holds' }
  /** It is false. */
  | {
      readonly kind: 'wrong';
      readonly model: string;
      /** By the evaluation of these versions. */
      readonly refutedBy: readonly string[];
      /** By culprit's own as well; else it is beyond that. */
      readonly isEvaluated: boolean;
    }
  | { readonly kind: 'unchecked' };

/** A larger one is not worth keeping. */
const longestModel = 20_000;

/**
 * Asks a version for its model and evaluates the formula under it, without a solver. Only where it is false by that, the
 * versions are asked as well, with the values in place of the declarations: a model that all of them who can tell find
 * right is not called wrong, since the mistake may be culprit's. Where culprit's own evaluation knows too little (of
 * bit-vectors, say, or functions), theirs is all there is.
 *
 * @param judges who is asked, in order; one that finds the model wrong is enough
 */
export async function checkClaim(
  runner: Runner,
  formula: Script,
  version: Version,
  judges: readonly Version[],
  limits: Limits,
  signal?: AbortSignal,
): Promise<ClaimVerdict> {
  const { outcome, model } = await runner.run({ formula, version, limits, model: true }, signal);
  if (outcome !== 'sat' || model === undefined || model.length > longestModel) return { kind: 'unchecked' };
  const definitions = definitionsIn(model, version.dialect);
  if (definitions instanceof Fault) return { kind: 'unchecked' };
  const judgedBy = async (judge: Version): Promise<ModelVerdict['kind']> =>
    (await checkModel(runner, formula, definitions, judge, limits, signal)).kind;
  const isTrue = isTrueUnder(formula, definitions);
  if (isTrue === true) return { kind: 'holds' };
  if (isTrue === undefined) {
    const refuter = await refuterAmong(judges, version, judgedBy);
    if (refuter === undefined) return { kind: 'unchecked' };
    if (refuter === 'none') return { kind: 'holds' };
    return { kind: 'wrong', model, refutedBy: [refuter.name], isEvaluated: false };
  }
  let isDoubtful = false;
  for (const judge of judges) {
    const kind = await judgedBy(judge);
    if (kind === 'refuted') return { kind: 'wrong', model, refutedBy: [judge.name], isEvaluated: true };
    isDoubtful ||= kind === 'confirmed';
  }
  return isDoubtful ? { kind: 'unchecked' } : { kind: 'wrong', model, refutedBy: [], isEvaluated: true };
}

/**
 * Who finds the model wrong, where nothing but the word of versions tells. Its own version is asked last, since only its word
 * against its own model means something; undefined where nobody can tell, or they contradict each other.
 */
async function refuterAmong(
  judges: readonly Version[],
  claimer: Version,
  judgedBy: (judge: Version) => Promise<ModelVerdict['kind']>,
): Promise<Version | 'none' | undefined> {
  let [isConfirmed, refuter]: [boolean, Version | undefined] = [false, undefined];
  for (const judge of judges) {
    if (judge.name === claimer.name) continue;
    const kind = await judgedBy(judge);
    isConfirmed ||= kind === 'confirmed';
    if (kind === 'refuted') refuter ??= judge;
  }
  if (isConfirmed) return refuter === undefined ? 'none' : undefined;
  if (refuter !== undefined || !judges.some(({ name }) => name === claimer.name)) return refuter;
  return (await judgedBy(claimer)) === 'refuted' ? claimer : undefined;
}
