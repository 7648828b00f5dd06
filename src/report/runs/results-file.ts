import type { Fault } from '../../machine/index.js';
import { readJsonLines } from '../json-lines.js';
import { type RunResult, runResultSchema } from './result.js';

/** What `culprit run --json` printed into a file. */
export function readRunResults(path: string): readonly RunResult[] | Fault {
  return readJsonLines(path, runResultSchema, 'run');
}
