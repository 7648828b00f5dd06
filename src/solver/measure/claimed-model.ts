/** A model that a version claims for a formula: does it hold? */

import { Fault, type Limits } from '../../machine/index.js';
import { isTrueUnder, type Script } from '../../smtlib/index.js';
import type { Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import { checkModel, definitionsIn } from './disagreement.js';

export type ClaimVerdict =
  /** The formula is true under it. */
  | { readonly kind: 'holds' }
  /** It is false, by culprit's own evaluation, and by those of the versions that were asked and could tell. */
  | { readonly kind: 'wrong'; readonly model: string; readonly refutedBy: readonly string[] }
  | { readonly kind: 'unchecked' };

/** A larger one is not worth keeping. */
const longestModel = 20_000;

/**
 * Asks a version for its model and evaluates the formula under it, without a solver. Only where it is false by that, the
 * versions are asked as well, with the values in place of the declarations: a model that all of them who can tell find
 * right is not called wrong, since the mistake may be culprit's.
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
  const isTrue = isTrueUnder(formula, definitions);
  if (isTrue !== false) return { kind: isTrue ? 'holds' : 'unchecked' };
  let isDoubtful = false;
  for (const judge of judges) {
    const verdict = await checkModel(runner, formula, definitions, judge, limits, signal);
    if (verdict.kind === 'refuted') return { kind: 'wrong', model, refutedBy: [judge.name] };
    isDoubtful ||= verdict.kind === 'confirmed';
  }
  return isDoubtful ? { kind: 'unchecked' } : { kind: 'wrong', model, refutedBy: [] };
}
