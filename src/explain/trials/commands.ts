/** The user's own commands, run in a folder with the sources. */

import { asWritten, Fault, runToEnd } from '../../machine/index.js';
import type { Trial } from './verdict.js';

export interface Commands {
  /** For sh, in the folder with the sources. */
  readonly build: string;
  readonly test: string;
  readonly buildLimitMs: number;
  readonly testLimitMs: number;
  /** On top of the user's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told the number of a command's process. */
  readonly onStart?: (pid: number) => void;
}

/** Of a compiler's complaints this much is looked at. */
const keptBytes = 1 << 20;

export interface Built {
  readonly isBuilt: boolean;
  readonly said: string;
}

export async function runBuild(
  source: string,
  commands: Commands,
  signal: AbortSignal,
): Promise<Built | Fault> {
  // One complaint of many says little about what is missing: make goes on with what it can.
  const env = { ...commands.env, MAKEFLAGS: `${process.env.MAKEFLAGS ?? ''} -k`.trim() };
  const end = await runCommand(commands.build, source, commands.buildLimitMs, { ...commands, env }, signal);
  return end instanceof Fault ? end : { isBuilt: end.exitCode === 0, said: end.said };
}

/** git bisect's code for what cannot be told. */
const cannotTell = 125;

export async function runTest(
  source: string,
  commands: Commands,
  signal: AbortSignal,
): Promise<Trial | Fault> {
  const end = await runCommand(commands.test, source, commands.testLimitMs, commands, signal);
  if (end instanceof Fault) return end;
  const { exitCode, said } = end;
  if (exitCode === 0) return { verdict: 'passes', said };
  return { verdict: exitCode === undefined || exitCode === cannotTell ? 'unresolved' : 'fails', said };
}

/** How one of the user's commands ended. */
export interface CommandEnded {
  readonly exitCode: number | undefined;
  readonly said: string;
  /** The end of what it printed. */
  readonly tail: string;
  readonly wallMs: number;
  readonly isLate: boolean;
}

export async function runCommand(
  command: string,
  source: string,
  limitMs: number,
  { env, onStart }: Commands,
  signal: AbortSignal,
): Promise<CommandEnded | Fault> {
  const end = await runToEnd({
    words: asWritten(['sh', '-c', command]),
    cwd: source,
    output: 'keep',
    mostBytes: keptBytes,
    env,
    limitMs,
    signal,
    onStart,
    endsOrphans: true,
  });
  if (end instanceof Fault) return end;
  const { stdout, stderr, signal: killedBy, isLate, tail, wallMs, exitCode } = end;
  const late = isLate
    ? `ended after ${limitMs / 1000} s\n`
    : killedBy === undefined
      ? ''
      : `ended by ${killedBy}\n`;
  return { exitCode, said: `${stderr}${stdout.toString('latin1')}${late}`, tail, wallMs, isLate };
}
