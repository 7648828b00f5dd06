/** Runs the user's own programs (`npm`, `pip`, `clang`, a solver's `--version`) for their output. */

import { environmentFault, Fault } from '../fault.js';
import { findOnPath, type Machine } from '../this-machine.js';
import type { ArgumentList } from './argument-list.js';
import { type CommandEnd, runToEnd } from './command.js';

export interface ToolOptions {
  readonly timeoutMs: number;
  readonly input?: Buffer | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Limit on standard output; more is a fault, so that a damaged archive cannot fill the memory. */
  readonly maxBytes?: number | undefined;
  readonly memoryBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const megabyte = 1 << 20;

/** Returns a fault if the program is missing, takes too long or prints too much. */
export async function runTool(
  words: ArgumentList,
  machine: Machine,
  { timeoutMs, input, cwd = machine.cwd, env, maxBytes = 16 * megabyte, memoryBytes, signal }: ToolOptions,
): Promise<CommandEnd | Fault> {
  const { program: name } = words;
  const file = name.includes('/') ? name : findOnPath(name, machine);
  if (file === undefined) return environmentFault(`${name} is not installed (not found on PATH)`);
  const end = await runToEnd({
    words: words.at(file),
    limitMs: timeoutMs,
    signal,
    memoryBytes,
    cwd,
    env,
    environment: machine.env,
    input: input ?? '',
    output: 'keep',
    maxBytes,
    endsOnFlood: true,
  });
  if (end instanceof Fault) return end;
  if (end.hasTimedOut) return environmentFault(`${name} did not finish within ${timeoutMs / 1000} s`);
  if (end.hasFlooded)
    return environmentFault(`${name} printed more than ${Math.round(maxBytes / megabyte)} MB`);
  return end;
}

const longestWords = 300;

/** The most telling line of a failed program's output: its last error line, else its last line. */
export function lastErrorLine(end: CommandEnd): string {
  const text = `${end.stdout.includes(0) ? '' : end.stdout.toString('utf8')}\n${end.stderr}`;
  const lines = text.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => /^(npm )?err(or)?\b/i.test(line));
  const last = errors.at(-1) ?? lines.filter((line) => line !== '').at(-1);
  return last?.slice(0, longestWords) ?? `exit code ${end.exitCode ?? end.signal ?? 'unknown'}`;
}
