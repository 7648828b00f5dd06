/** The user's own commands, run in a folder with the sources. */

import { Fault, type LimitName, type Limits, limitsFor, runToEnd, userCommand } from '../../machine/index.js';
import type { Trial } from './verdict.js';

export interface Commands {
  /** For sh, in the folder with the sources. */
  readonly build: string;
  readonly test: string;
  /** On the clock. */
  readonly buildLimitMs: number;
  /** Of processor time: a busy machine makes a test take longer, and nothing else. */
  readonly testLimitMs: number;
  /** Of a test and all it starts; as much as there is when left out. */
  readonly memoryBytes?: number | undefined;
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
  /** Another time it may come to its end. */
  readonly isUnsure: boolean;
}

export async function runBuild(
  source: string,
  commands: Commands,
  signal: AbortSignal,
): Promise<Built | Fault> {
  // One complaint of many says little about what is missing: make goes on with what it can.
  const env = { ...commands.env, MAKEFLAGS: `${process.env.MAKEFLAGS ?? ''} -k`.trim() };
  const limits = { wallMs: commands.buildLimitMs };
  const end = await runCommand(commands.build, source, limits, { ...commands, env }, signal);
  if (end instanceof Fault) return end;
  return { isBuilt: end.exitCode === 0, said: end.said, isUnsure: end.isUnsure };
}

/** git bisect's code for what cannot be told. */
const cannotTell = 125;

export async function runTest(
  source: string,
  commands: Commands,
  signal: AbortSignal,
): Promise<Trial | Fault> {
  const end = await runCommand(commands.test, source, testLimits(commands), commands, signal);
  if (end instanceof Fault) return end;
  const { exitCode, said, isUnsure } = end;
  if (exitCode === 0) return { verdict: 'passes', said };
  const isUnresolved = exitCode === undefined || exitCode === cannotTell;
  return { verdict: isUnresolved ? 'unresolved' : 'fails', said, isUnsure };
}

export function testLimits({ testLimitMs, memoryBytes }: Commands): Limits {
  return limitsFor(testLimitMs, memoryBytes);
}

/** How one of the user's commands ended. */
export interface CommandEnded {
  readonly exitCode: number | undefined;
  readonly said: string;
  /** The end of what it printed. */
  readonly tail: string;
  readonly wallMs: number;
  readonly isLate: boolean;
  /** Its time on the clock was over, and not what it may work: the machine may have been busy with something else. */
  readonly isUnsure: boolean;
}

export async function runCommand(
  command: string,
  source: string,
  limits: Limits,
  { env, onStart }: Commands,
  signal: AbortSignal,
): Promise<CommandEnded | Fault> {
  const end = await runToEnd({
    words: userCommand(['sh', '-c', command]),
    cwd: source,
    output: 'keep',
    maxBytes: keptBytes,
    env,
    limits,
    signal,
    onStart,
    endsOrphans: true,
  });
  if (end instanceof Fault) return end;
  const { stdout, stderr, signal: killedBy, hasTimedOut: isLate, limit, tail, wallMs, exitCode } = end;
  const why = limit !== undefined ? whyEnded(limit, limits) : killedBy && `ended by ${killedBy}`;
  const said = `${stderr}${stdout.toString('latin1')}${why === undefined ? '' : `${why}\n`}`;
  return { exitCode, said, tail, wallMs, isLate, isUnsure: limit === 'wall' };
}

function whyEnded(limit: LimitName, { wallMs, cpuMs, idleMs, memoryBytes }: Limits): string {
  const seconds = (ms = 0): string => `${ms / 1000} s`;
  switch (limit) {
    case 'cpu':
      return `ended after ${seconds(cpuMs)} of processor time`;
    case 'idle':
      return `ended after ${seconds(idleMs)} in which it hardly worked`;
    case 'memory':
      return `ended at its limit of ${Math.round((memoryBytes ?? 0) / (1 << 20))} MB of memory`;
    default:
      return `ended after ${seconds(wallMs)}`;
  }
}
