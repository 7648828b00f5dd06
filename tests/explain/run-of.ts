import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayed } from '../../src/explain/causes/traced-run.js';
import type { Change } from '../../src/explain/changes/change.js';
import { type Replay, recordsIn } from '../../src/symbolic/index.js';
import { needsTools } from '../needs.js';
import { compileWithTrace } from '../symbolic/traced-compilation.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers');

const signal = new AbortController().signal;

/**
 * The recorded run of a C program, with lines counted in the text.
 *
 * @param most approximate number of instructions to record
 */
export async function runOf(
  program: string,
  most?: number,
): Promise<{ readonly run: Replay; readonly folder: string }> {
  const folder = temporaryFolder('causes');
  writeFileSync(join(folder, 'main.c'), program);
  await compileWithTrace('clang', ['-o', 'prog', 'main.c'], folder);
  mkdirSync(join(folder, 'traces'));
  try {
    execFileSync(join(folder, 'prog'), {
      stdio: 'ignore',
      env: { ...process.env, CULPRIT_TRACE_DIR: join(folder, 'traces') },
    });
  } catch {
    // The program may fail on purpose.
  }
  const [record] = withoutFault(await recordsIn(join(folder, 'traces')));
  if (record === undefined) throw new Error('nothing was recorded');
  return { run: withoutFault(await replayed(record, signal, most)), folder };
}

export function changeOf(line: number): Change {
  const range = { from: line, to: line };
  return { id: line, file: 'main.c', old: range, new: range, oldLines: [], newLines: [], within: undefined };
}
