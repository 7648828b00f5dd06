/** Any program run to its end, its limit or culprit's, together with everything it starts. */

import { type ChildProcess, spawn } from 'node:child_process';
import { environmentFault, type Fault } from '../fault.js';
import type { LimitName, Limits } from '../limits.js';
import type { ArgumentList } from './argument-list.js';
import { nextMark } from './command-room.js';
import { lookout } from './lookout.js';
import { hasProc } from './proc-files.js';
import { killMarked, markedTree } from './process-tree.js';

export interface Command {
  /** The program and its arguments. No shell stands between. */
  readonly words: ArgumentList;
  /** It may take as long as it likes when left out. */
  readonly limitMs?: number | undefined;
  /** Of it and all it starts together, as far as the machine can tell: of time and memory. */
  readonly limits?: Limits | undefined;
  /** Ends it; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The address space of each of its processes, where the system knows such a limit; and no picture of its memory is left when it crashes. */
  readonly memoryBytes?: number | undefined;
  readonly cwd?: string | undefined;
  /** On top of `environment`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Culprit's own when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** What it is told on its standard input; nothing when left out. */
  readonly input?: Buffer | string | undefined;
  /** Where its output goes: kept in memory, into a file that is open, or nowhere (when left out). */
  readonly output?: 'keep' | number | undefined;
  /** How much of standard output is kept; a megabyte when left out. */
  readonly mostBytes?: number | undefined;
  /** A program that prints more than is kept is ended, so that a damaged archive cannot fill the memory. */
  readonly endsAtMost?: boolean | undefined;
  /** What it started and what has left its group is ended with it: a search through all processes of the machine. */
  readonly endsOrphans?: boolean | undefined;
  /** Told the number of its process, which leads a group of its own. */
  readonly onStart?: ((pid: number) => void) | undefined;
}

export interface CommandEnd {
  /** Undefined if a signal or the limit ended it. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** Its time was over, whichever way that is counted. */
  readonly isLate: boolean;
  /** Which of `limits` it was ended at. */
  readonly limit: LimitName | undefined;
  /** It printed more than it may. */
  readonly isFlood: boolean;
  readonly wallMs: number;
  /** As much of its beginning as is kept. */
  readonly stdout: Buffer;
  /** The end of standard output, however long it is. */
  readonly tail: string;
  /** The beginning of standard error, where output is kept. */
  readonly stderr: string;
}

const megabyte = 1 << 20;
const mostTail = 1 << 12;

/** Whatever it started may hold its output open for good; it is not waited for longer than this. */
const lingeringMs = 250;

/** A fault if it cannot be started. */
export function runToEnd(command: Command): Promise<CommandEnd | Fault> {
  const { words, limitMs, signal, cwd, env, environment = process.env, input, output, onStart } = command;
  const { limits, mostBytes = megabyte, endsAtMost = false, endsOrphans = false } = command;
  const mark = nextMark();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { program } = words;
    const { file, args } = limited(words, command.memoryBytes);
    const startedAt = performance.now();
    const to = output === 'keep' ? 'pipe' : (output ?? 'ignore');
    const child = spawn(file, args, {
      // A group of its own: Ctrl-C in the terminal is for culprit to hear, and what it starts is ended with it.
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', to, to],
      env: { ...environment, ...env, [mark[0]]: mark[1] },
      cwd,
      windowsHide: true,
    });
    let isLate = false;
    let isFlood = false;
    let limit: LimitName | undefined;
    const stop = () => killGroup(child);
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            stop();
          }, limitMs);
    const stopLooking = lookAfter(child, mark.join('='), limits, (reached) => {
      limit ??= reached;
      stop();
    });
    signal?.addEventListener('abort', stop, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      stopLooking();
      signal?.removeEventListener('abort', stop);
      stop();
    };
    try {
      if (child.pid !== undefined) onStart?.(child.pid);
    } catch (error) {
      settle();
      reject(error);
      return;
    }
    const stdout = new Kept(mostBytes);
    const stderr = new Kept(megabyte);
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
      if (!endsAtMost || !stdout.isFull) return;
      isFlood = true;
      stop();
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    // The reader may close its end early; how it exits says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      resolve(cannotStart(program, error));
    });
    let wallMs = 0;
    child.on('exit', () => {
      wallMs = performance.now() - startedAt;
      stop();
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, lingeringMs).unref();
    });
    child.on('close', (code, killedBy) => {
      settle();
      if (endsOrphans) killMarked(mark.join('='));
      if (signal?.aborted) return reject(signal.reason);
      const wasEnded = isLate || isFlood || limit !== undefined;
      resolve({
        exitCode: wasEnded ? undefined : (code ?? undefined),
        signal: wasEnded ? undefined : (killedBy ?? undefined),
        isLate: isLate || (limit !== undefined && limit !== 'memory'),
        limit,
        isFlood,
        wallMs,
        stdout: stdout.beginning(),
        tail: stdout.end(),
        stderr: stderr.beginning().toString('utf8'),
      });
    });
  });
}

/**
 * Holds it to its limits. Its memory is what is there of it, not its address space, of which programs that check
 * themselves (sanitizers) reserve terabytes. Returns how to stop looking.
 */
function lookAfter(
  { pid }: ChildProcess,
  mark: string,
  limits: Limits | undefined,
  reached: (limit: LimitName) => void,
): () => void {
  if (limits === undefined || pid === undefined) return () => {};
  const tree = markedTree(mark);
  tree.entered(pid);
  const { lookEveryMs } = tree.confine(limits);
  return lookout(tree, limits.memoryBytes === undefined ? undefined : lookEveryMs, limits, (limit) =>
    // Where nobody can tell whether it has worked, only its time on the clock is known to be over.
    reached(limit === 'idle' && !hasProc ? 'wall' : limit),
  );
}

/** What a shell is told that takes a limit upon itself and becomes the program. A stricter one that is there stays. */
const withLimit = 'ulimit -c 0 2>/dev/null; ulimit -v "$1" 2>/dev/null; shift; exec "$@"';

function limited(
  { program, args }: ArgumentList,
  memoryBytes: number | undefined,
): { readonly file: string; readonly args: readonly string[] } {
  if (memoryBytes === undefined || process.platform === 'win32') return { file: program, args };
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  return { file: '/bin/sh', args: ['-c', withLimit, 'sh', kilobytes, program, ...args] };
}

/** The beginning of an output, and its end. */
class Kept {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(private readonly mostBytes: number) {}

  /** More was printed than is kept. */
  get isFull(): boolean {
    return this.#bytes > this.mostBytes;
  }

  add(chunk: Buffer): void {
    if (this.#bytes < this.mostBytes) this.#chunks.push(chunk.subarray(0, this.mostBytes - this.#bytes));
    this.#bytes += chunk.length;
    this.#tail = chunk.length >= mostTail ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = this.#tail.subarray(-mostTail);
  }

  beginning(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  end(): string {
    return this.#tail.toString('utf8');
  }
}

function cannotStart(program: string, { code, message }: NodeJS.ErrnoException): Fault {
  return environmentFault(
    code === 'ENOENT'
      ? `${program} is not installed (not found on PATH)`
      : `${program} could not be started (${code ?? message})`,
  );
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
