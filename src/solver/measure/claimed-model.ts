import { Fault, type Limits } from '../../machine/index.js';
import { isTrueUnder, type Script } from '../../smtlib/index.js';
import type { Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import { checkModel, definitionsIn, type ModelVerdict } from './disagreement.js';

export type ClaimVerdict =
  | { readonly kind: 'holds' }
  | {
      readonly kind: 'wrong';
      readonly model: string;
      /** The versions that evaluated it to false. */
      readonly refutedBy: readonly string[];
      /** culprit's own evaluation agrees; otherwise it cannot evaluate the formula. */
      readonly isEvaluated: boolean;
    }
  | { readonly kind: 'unchecked' };

const maxModelLength = 20_000;

/**
 * Requests a version's model and evaluates the formula under it, without a solver. If it is false, the judges
 * evaluate it too. If all judges that can evaluate it find the model right, the verdict is `unchecked`, because the
 * mistake may be culprit's. If culprit cannot evaluate the formula (bit-vectors or functions, for example), the
 * judges alone decide.
 *
 * @param judges the versions to ask, in order; one that refutes the model is enough
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
  if (outcome !== 'sat' || model === undefined || model.length > maxModelLength) return { kind: 'unchecked' };
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
 * The version that refutes the model, if culprit cannot evaluate it. The claimer comes last: only its verdict against
 * its own model means something. Undefined if no version can tell or versions contradict each other.
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
