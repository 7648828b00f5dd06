import { shellWord } from '../shell-word.js';
import type { RunResult } from './result.js';
import { timesAsLong } from './words.js';

/** What to do about the formula that got slower the most; nothing where none did, or it is in no file. */
export function runNextSteps(results: readonly RunResult[]): readonly string[] {
  const [worst] = results
    .flatMap((result) =>
      result.verdict.kind === 'slower' ? [{ result, by: timesAsLong(result.verdict) }] : [],
    )
    .toSorted((a, b) => b.by - a.by);
  if (worst === undefined || worst.result.formula === 'standard input') return [];
  const { formula, versions, reference = '' } = worst.result;
  const file = shellWord(formula);
  const newest = versions.at(-1)?.version ?? '';
  const on = shellWord(versions.map(({ version }) => version).join());
  return [
    `Does it hold under other random seeds? culprit confirm ${file} --on ${on}`,
    `Make it small: culprit reduce ${file} --slower ${shellWord(newest)} --than ${shellWord(reference)}`,
    `Which commit is to blame? culprit blame ${file} --repo REPOSITORY --good OLD --bad NEW`,
  ];
}
