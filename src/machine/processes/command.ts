/** Runs a program to its end or to a limit, and ends everything it started. */

import { type ChildProcess, spawn } from 'node:child_process';
import { environmentFault, type Fault } from '../fault.js';
import type { LimitName, Limits } from '../limits.js';
import type { ArgumentList } from './argument-list.js';
import { nextMarker } from './command-workspace.js';
import { tryKill } from './kill.js';
import { hasProc } from './proc-files.js';
import { killMarked, markedTree } from './process-tree.js';
import { watchLimits } from './watch-limits.js';

export interface Command {
  readonly words: ArgumentList;
  readonly limitMs?: number | undefined;
  /** Limits on time and memory of the whole process tree, as far as the machine can measure them. */
  readonly limits?: Limits | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Limit on the address space of each process, if the system supports it; also disables core dumps. */
  readonly memoryBytes?: number | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly input?: Buffer | string | undefined;
  /** Output destination: memory, an open file, or discarded (default). */
  readonly output?: 'keep' | number | undefined;
  /** How much of standard output to keep; default 1 MB. */
  readonly maxBytes?: number | undefined;
  /** Ends a program that prints more than is kept, so that a damaged archive cannot fill the memory. */
  readonly endsOnFlood?: boolean | undefined;
  /** Also ends descendants outside its process group, by searching all processes of the machine. */
  readonly endsOrphans?: boolean | undefined;
  /** Receives the pid, which is also the process group. */
  readonly onStart?: ((pid: number) => void) | undefined;
}

export interface CommandEnd {
  /** Undefined if a signal or a limit ended it. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly hasTimedOut: boolean;
  readonly limit: LimitName | undefined;
  readonly hasFlooded: boolean;
  readonly wallMs: number;
  readonly stdout: Buffer;
  readonly tail: string;
  /** The beginning of standard error, if output is kept. */
  readonly stderr: string;
}

const megabyte = 1 << 20;
const maxTail = 1 << 12;

/** How long to wait for the output to close: descendants may hold it open forever. */
const lingeringMs = 250;

export function runToEnd(command: Command): Promise<CommandEnd | Fault> {
  const { words, limitMs, signal, cwd, env, environment = process.env, input, output, onStart } = command;
  const { limits, maxBytes = megabyte, endsOnFlood = false, endsOrphans = false } = command;
  const mark = nextMarker();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { program } = words;
    const { file, args } = withMemoryLimit(words, command.memoryBytes);
    const startedAt = performance.now();
    const to = output === 'keep' ? 'pipe' : (output ?? 'ignore');
    const child = spawn(file, args, {
      // Its own process group: culprit handles Ctrl-C, and ends all descendants with it.
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', to, to],
      env: { ...environment, ...env, [mark[0]]: mark[1] },
      cwd,
      windowsHide: true,
    });
    let isOverTime = false;
    let hasFlooded = false;
    let limit: LimitName | undefined;
    const stop = () => {
      if (child.pid !== undefined) tryKill(-child.pid);
    };
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            isOverTime = true;
            stop();
          }, limitMs);
    const stopWatching = enforceLimits(child, mark.join('='), limits, (reached) => {
      limit ??= reached;
      stop();
    });
    signal?.addEventListener('abort', stop, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      stopWatching();
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
    const stdout = new OutputBuffer(maxBytes);
    const stderr = new OutputBuffer(megabyte);
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
      if (!endsOnFlood || !stdout.isFull) return;
      hasFlooded = true;
      stop();
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    // The program may close its standard input early; its exit code tells why.
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
      const wasEnded = isOverTime || hasFlooded || limit !== undefined;
      resolve({
        exitCode: wasEnded ? undefined : (code ?? undefined),
        signal: wasEnded ? undefined : (killedBy ?? undefined),
        hasTimedOut: isOverTime || (limit !== undefined && limit !== 'memory'),
        limit,
        hasFlooded,
        wallMs,
        stdout: stdout.beginning(),
        tail: stdout.end(),
        stderr: stderr.beginning().toString('utf8'),
      });
    });
  });
}

/**
 * Enforces the limits and returns a function that stops it. It counts resident memory, not address space, because
 * sanitizers reserve terabytes.
 */
function enforceLimits(
  { pid }: ChildProcess,
  mark: string,
  limits: Limits | undefined,
  reached: (limit: LimitName) => void,
): () => void {
  if (limits === undefined || pid === undefined) return () => {};
  const tree = markedTree(mark);
  tree.entered(pid);
  const { pollEveryMs } = tree.confine(limits);
  return watchLimits(tree, limits.memoryBytes === undefined ? undefined : pollEveryMs, limits, (limit) =>
    // Without /proc, work cannot be measured, so only the wall time is known.
    reached(limit === 'idle' && !hasProc ? 'wall' : limit),
  );
}

/** Shell code that sets a limit and becomes the program. A stricter existing limit stays. */
const withLimit = 'ulimit -c 0 2>/dev/null; ulimit -v "$1" 2>/dev/null; shift; exec "$@"';

function withMemoryLimit(
  { program, args }: ArgumentList,
  memoryBytes: number | undefined,
): { readonly file: string; readonly args: readonly string[] } {
  if (memoryBytes === undefined || process.platform === 'win32') return { file: program, args };
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  return { file: '/bin/sh', args: ['-c', withLimit, 'sh', kilobytes, program, ...args] };
}

class OutputBuffer {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(private readonly maxBytes: number) {}

  get isFull(): boolean {
    return this.#bytes > this.maxBytes;
  }

  add(chunk: Buffer): void {
    if (this.#bytes < this.maxBytes) this.#chunks.push(chunk.subarray(0, this.maxBytes - this.#bytes));
    this.#bytes += chunk.length;
    this.#tail = chunk.length >= maxTail ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = this.#tail.subarray(-maxTail);
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
