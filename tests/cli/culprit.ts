/** The built command as a user calls it. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export function culprit(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; cwd?: string } = {},
): Ended {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  return { stdout, stderr, exitCode: status };
}

/** A folder of its own for the test, gone afterwards. */
export function inFolder<Value>(body: (folder: string) => Value): Value {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-test-'));
  try {
    return body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
