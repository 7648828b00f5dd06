import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The user's checkout of StringFuzz, the baseline for parsing and generating. */
export function stringFuzzFolder(): string | undefined {
  const folder = process.env.CULPRIT_STRINGFUZZ;
  if (folder !== undefined && existsSync(join(folder, 'stringfuzz', 'parser.py'))) return folder;
  console.error('Set CULPRIT_STRINGFUZZ to a checkout of StringFuzz (Python) to measure against it.');
  return undefined;
}

/** Runs a Python program in StringFuzz's folder and reads the JSON it prints. */
export function runPython(folder: string, program: string, input = ''): unknown {
  const run = spawnSync('python3', ['-c', program], {
    input,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: folder },
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) throw new Error(`StringFuzz failed: ${run.stderr.slice(-500)}`);
  return JSON.parse(run.stdout);
}
