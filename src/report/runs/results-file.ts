import { Fault, readInput, unpacked, usageFault } from '../../machine/index.js';
import { type RunResult, runResultSchema } from './result.js';

/** What `culprit run --json` printed into a file, also packed by gzip. */
export function readRunResults(path: string): readonly RunResult[] | Fault {
  const packed = readInput(path);
  if (packed instanceof Fault) return packed;
  const bytes = unpacked(packed, path);
  if (bytes instanceof Fault) return bytes;
  const results: RunResult[] = [];
  for (const [at, line] of bytes.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const result = runResultSchema.safeParse(parsed(line));
    if (!result.success) return usageFault(`${path}:${at + 1} is no line of culprit run --json`);
    results.push(result.data);
  }
  return results.length > 0
    ? results
    : usageFault(`${path} is empty: culprit run --json printed nothing into it`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
