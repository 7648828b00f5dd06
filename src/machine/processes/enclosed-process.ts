import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { LimitName, Limits } from '../limits.js';
import type { Enclosure, Usage } from './enclosure.js';
import type { Launcher } from './launcher.js';
import type { RunFiles } from './run-files.js';
import type { Rlimit } from './starters/starter.js';
import { watchLimits } from './watch-limits.js';

export interface ProcessJob {
  readonly command: readonly string[];
  readonly files: RunFiles;
  readonly launcher: Launcher;
  readonly enclosure: Enclosure;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

export interface ProcessResult {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly limit?: LimitName | undefined;
  /** From just before the start until the end was noticed. */
  readonly wallMs: number;
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
}

/** Far above any answer; keeps excessive output from filling culprit's memory. */
const defaultOutputBytes = 16 << 20;

/**
 * Runs one process to its end or to the first limit it reaches, and returns when all its processes are gone. Rejects
 * with the signal's reason if aborted.
 */
export async function runProcess(job: ProcessJob): Promise<ProcessResult> {
  const { enclosure, files, limits, signal } = job;
  const outputLimit = limits.outputBytes ?? defaultOutputBytes;
  const { rlimits, pollEveryMs } = enclosure.confine(limits);

  const startedAt = performance.now();
  let wallMs: number | undefined;
  const ended = job.launcher
    .start([...backstops(limits, outputLimit), ...rlimits], job.command)
    .finally(() => {
      wallMs = performance.now() - startedAt;
    });

  let limit: LimitName | undefined;
  let killing: Promise<void> | undefined;
  const stop = (reached?: LimitName) => {
    if (killing !== undefined) return;
    limit = reached;
    killing = killUntil(() => wallMs !== undefined, enclosure);
  };
  const stopWatching = watchLimits(enclosure, pollEveryMs, limits, stop);
  const abort = () => stop();
  signal.addEventListener('abort', abort, { once: true });

  const { status, cpuMs: childMs } = await ended;
  stopWatching();
  signal.removeEventListener('abort', abort);
  await killing;
  await enclosure.killAll();
  signal.throwIfAborted();

  const usage = enclosure.usage();
  const cpuMs = enclosure.countsTime ? usage.cpuMs : maxDefined(usage.cpuMs, childMs);
  const spent: ResourceUse = { usage, cpuMs, wallMs: wallMs ?? 0, outputBytes: files.outputBytes };
  const reached = limit ?? exceededLimit(spent, limits, outputLimit);
  return {
    wallMs: spent.wallMs,
    // Without a launcher the exit status is unknown; both were killed from outside.
    signal: status === undefined ? 'SIGKILL' : undefined,
    exitCode: status,
    limit: reached,
    cpuMs,
    peakMemoryBytes: usage.peakMemoryBytes,
  };
}

/** Repeats, because a process may be started or found while the others are being killed. */
export async function killUntil(isOver: () => boolean, enclosure: Enclosure): Promise<void> {
  while (!isOver()) {
    await enclosure.killAll();
    await pause(1);
  }
}

/** Either may be incomplete: children nobody waited for, or work after the last poll. */
function maxDefined(seenMs: number | undefined, waitedForMs: number | undefined): number | undefined {
  if (seenMs === undefined || waitedForMs === undefined) return seenMs ?? waitedForMs;
  return Math.max(seenMs, waitedForMs);
}

interface ResourceUse {
  readonly usage: Usage;
  readonly cpuMs: number | undefined;
  readonly wallMs: number;
  readonly outputBytes: readonly [number, number];
}

/** Finds a limit that was exceeded between two polls or in the last instant. */
function exceededLimit(spent: ResourceUse, limits: Limits, outputLimit: number): LimitName | undefined {
  const [stdout, stderr] = spent.outputBytes;
  if (spent.usage.outOfMemory) return 'memory';
  // A file cannot grow beyond the limit, so it is exactly as long.
  if (stdout >= outputLimit || stderr >= outputLimit || stdout + stderr > outputLimit) return 'output';
  if (spent.wallMs > limits.wallMs) return 'wall';
  if (spent.cpuMs !== undefined && limits.cpuMs !== undefined && spent.cpuMs > limits.cpuMs) return 'cpu';
  return undefined;
}

/**
 * Limits that the kernel enforces for each process. `-f` bounds the output. `-t` is coarser and far later than
 * culprit's own limit, so that a solver ends even if culprit is gone. On a busy virtual machine, a limit of 21 s
 * struck after 19.3 to 19.9 s by the exact count, probably because the kernel counts ticks. No core dumps: writing
 * one takes longer than most runs.
 */
function backstops(limits: Limits, outputBytes: number): readonly Rlimit[] {
  const cpuMs = Math.min(limits.cpuMs ?? Number.POSITIVE_INFINITY, limits.wallMs * availableParallelism());
  return [
    ['-c', 0],
    ['-f', Math.max(outputBytes, limits.fileBytes ?? 0)],
    ['-t', (2 * cpuMs) / 1000 + 1],
  ];
}
