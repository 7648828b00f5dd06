import { Fault, type LimitName, type Limits, runToEnd, userCommand } from '../../machine/index.js';

/** How one of the user's commands ended. */
export interface CommandEnd {
  readonly exitCode: number | undefined;
  readonly output: string;
  /** The end of standard output. */
  readonly tail: string;
  readonly wallMs: number;
  readonly isLate: boolean;
  /** The wall-clock limit ended it, not the limit of processor time: the machine may have been busy. */
  readonly hitWallLimit: boolean;
}

/** Maximum bytes of output that are stored. */
const maxOutputBytes = 1 << 20;

export interface CommandContext {
  /** Added to the user's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process id of every started command. */
  readonly onStart?: (pid: number) => void;
}

/** Runs one of the user's shell commands in the folder with the sources. */
export async function runCommand(
  command: string,
  source: string,
  limits: Limits,
  { env, onStart }: CommandContext,
  signal: AbortSignal,
): Promise<CommandEnd | Fault> {
  const end = await runToEnd({
    words: userCommand(['sh', '-c', command]),
    cwd: source,
    output: 'keep',
    maxBytes: maxOutputBytes,
    env,
    limits,
    signal,
    onStart,
    endsOrphans: true,
  });
  if (end instanceof Fault) return end;
  const { stdout, stderr, signal: killedBy, hasTimedOut: isLate, limit, tail, wallMs, exitCode } = end;
  const reason = limit !== undefined ? limitReason(limit, limits) : killedBy && `ended by ${killedBy}`;
  const output = `${stderr}${stdout.toString('latin1')}${reason === undefined ? '' : `${reason}\n`}`;
  return { exitCode, output, tail, wallMs, isLate, hitWallLimit: limit === 'wall' };
}

function limitReason(limit: LimitName, { wallMs, cpuMs, idleMs, memoryBytes }: Limits): string {
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
