import { type Fault, readJsonLines } from '../../machine/index.js';
import { type RunResult, runResultSchema } from '../../report/index.js';

/**
 * Reads the output of `culprit run --json`.
 *
 * @param note receives a sentence on each skipped line
 * @param format the expected format, for error messages
 */
export function readRunResults(
  path: string,
  note?: (sentence: string) => void,
  format = 'culprit run --json',
): readonly RunResult[] | Fault {
  return readJsonLines(path, runResultSchema, format, note);
}
