import type { Fault } from '../../machine/index.js';
import { readJsonLines } from '../../machine/index.js';
import { type RunResult, runResultSchema } from './result.js';

/**
 * What `culprit run --json` printed into a file.
 *
 * @param note told of what is left out
 * @param said what the file should be, for a message
 */
export function readRunResults(
  path: string,
  note?: (sentence: string) => void,
  said = 'culprit run --json',
): readonly RunResult[] | Fault {
  return readJsonLines(path, runResultSchema, said, note);
}
