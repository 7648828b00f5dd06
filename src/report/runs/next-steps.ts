import {
  type AskedLimits,
  blameStep,
  confirmStep,
  disagreeStep,
  reduceStep,
  unnamedFormula,
} from '../commands/next-steps.js';
import type { RunResult } from './result.js';
import { timesAsLong } from './words.js';

/** What to do about the first contradiction, and about the formula that got slower the most; nothing where none did, or it is in no file. */
export function runNextSteps(results: readonly RunResult[], asked?: AskedLimits): readonly string[] {
  const [worst] = results
    .flatMap((result) =>
      result.verdict.kind === 'slower'
        ? [{ result, by: timesAsLong(result.verdict), referenceMs: result.verdict.referenceMs }]
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
    asked,
  };
  return [...contradictions, confirmStep(slow), reduceStep(slow), blameStep(formula)];
}
