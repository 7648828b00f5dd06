/** The built command as a user calls it. Everything it prints with `--json` must match the published schemas. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { needsTools } from '../needs.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { mustBeAsPublished } from './as-published.js';

needsTools('build');

const main = fileURLToPath(new URL('../../dist/bin/main.cjs', import.meta.url));

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
    cwd: options.cwd,
  });
  mustBeAsPublished(args, stdout);
  return { stdout, stderr, exitCode: status };
}

const manyCalls = fileURLToPath(new URL('many-calls.mjs', import.meta.url));

/** The results of many calls in one process, for calls that need no process of their own. */
export function culpritMany(
  calls: readonly (readonly string[])[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): readonly Ended[] {
  const { stdout, stderr } = spawnSync(process.execPath, [manyCalls, main], {
    encoding: 'utf8',
    input: JSON.stringify(calls),
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
  });
  if (!stdout.startsWith('[')) throw new Error(`a call ended the process of all: ${stderr}`);
  const ended = JSON.parse(stdout) as readonly Ended[];
  for (const [at, call] of ended.entries()) mustBeAsPublished(calls[at] ?? [], call.stdout);
  return ended;
}

/** Like `culpritMany`, with all calls made when a test needs the first result. */
export function madeTogether(
  calls: readonly (readonly string[])[],
  options: () => { env?: Record<string, string>; cwd?: string },
): (at: number) => Ended {
  let ended: readonly Ended[] | undefined;
  return (at) => {
    ended ??= culpritMany(calls, options());
    return ended[at] as Ended;
  };
}

/** A running command in its own process group, as under a terminal. */
export function startCulprit(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const closed = new Promise<number | null>((resolve) => {
    child.on('close', (exitCode) => resolve(exitCode));
  });
  const ended = closed.then((exitCode) => {
    mustBeAsPublished(args, output.stdout);
    return { ...output, exitCode };
  });
  return { child, ended };
}

/** A folder for one test, removed after it. */
export function inFolder<Value>(body: (folder: string) => Value): Value {
  const folder = temporaryFolder();
  try {
    return body(folder);
  } finally {
    removeFolder(folder);
  }
}
