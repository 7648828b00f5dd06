import {
  blameStep,
  confirmStep,
  disagreeStep,
  reduceStep,
  type SeenLimits,
  unnamedFormula,
} from '../commands/next-steps.js';
import { slowdownRatio } from './cells.js';
import type { RunResult } from './run-result.js';

/** Next steps for the first disagreement and the largest slowdown; none for a formula without a file. */
export function runNextSteps(results: readonly RunResult[], limits?: SeenLimits): readonly string[] {
  const [worst] = results
    .flatMap((result) =>
      result.verdict.kind === 'slower'
        ? [{ result, by: slowdownRatio(result.verdict), referenceMs: result.verdict.referenceMs }]
        : [],
    )
    .toSorted((a, b) => b.by - a.by);
  const contradicted = results.find(
    ({ disagreement, formula }) => disagreement !== undefined && formula !== unnamedFormula,
  );
  const contradictions =
    contradicted?.disagreement === undefined
      ? []
      : [disagreeStep(contradicted.formula, contradicted.disagreement)];
  if (worst === undefined || worst.result.formula === unnamedFormula) return contradictions;
  const { formula, versions, reference } = worst.result;
  const slow = {
    formula,
    versions: versions.map(({ version }) => version),
    than: reference,
    referenceMs: worst.referenceMs,
    limits,
  };
  return [...contradictions, confirmStep(slow), reduceStep(slow), blameStep(formula)];
}
