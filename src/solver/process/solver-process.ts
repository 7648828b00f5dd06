import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { LimitName } from '../outcome.js';
import type { Limits } from '../run.js';
import type { Enclosure, Usage } from './enclosure.js';
import { childTimesMs, launch, notEntered } from './launch.js';
import { lookout } from './lookout.js';
import { Output } from './output.js';

/** One solver process to be run and measured. */
export interface Job {
  readonly command: readonly string[];
  /** An empty directory of its own. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly enclosure: Enclosure;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

export interface Finish {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly limit?: LimitName;
  /** From just before the process was started until it was seen to end. */
  readonly wallMs: number;
  readonly cpuMs?: number;
  readonly peakMemoryBytes?: number;
}

/** Far above what any answer takes; keeps a flood from filling culprit's own memory. */
const defaultOutputBytes = 64 << 20;

/** How long the pipes may stay open after the last process ended. */
const pipePatienceMs = 1_000;

/**
 * Runs one process to its end or to the first limit it reaches, and returns when nothing of it is left.
 * Rejects with the signal's reason when aborted, and with an error when no process could be started.
 */
export async function runProcess(job: Job): Promise<Finish> {
  const { enclosure, limits, signal } = job;
  signal.throwIfAborted();
  const outputLimit = limits.outputBytes ?? defaultOutputBytes;
  const { file, arguments: words } = launch(enclosure, backstops(limits, outputLimit), job.command);

  const started = performance.now();
  const child = spawn(file, words, {
    cwd: job.directory,
    env: job.environment,
    // A session and process group of its own.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', enclosure.launcherReportsTimes ? 'pipe' : 'ignore'],
  });
  const [stdin, stdout, stderr, report] = child.stdio;
  const ended = once(child, 'exit').then(() => performance.now() - started);
  const closed = once(child, 'close');
  closed.catch(() => {});
  if (child.pid === undefined) await ended;
  else enclosure.started(child.pid);

  let limit: LimitName | undefined;
  let isStopped = false;
  const stop = (reached?: LimitName) => {
    if (isStopped) return;
    isStopped = true;
    limit = reached;
    // What a process tree has used cannot be asked once it is gone.
    if (enclosure.launcherReportsTimes) enclosure.usage();
    void enclosure.killAll();
  };

  const output = new Output(outputLimit, () => stop('output'));
  const stdoutText = output.collect(stdout as Readable);
  const stderrText = output.collect(stderr as Readable);
  const reportText = output.collect(report as Readable | null);
  // A solver may end, or close its input, before it has read all of the formula.
  stdin?.on('error', () => {});
  child.stdin?.end(job.stdin);

  const stopLooking = lookout(enclosure, limits, stop);
  const abort = () => stop();
  signal.addEventListener('abort', abort, { once: true });

  const wallMs = await ended;
  stopLooking();
  signal.removeEventListener('abort', abort);
  await enclosure.killAll();
  await Promise.race([closed, pause(pipePatienceMs, undefined, { ref: false })]);
  output.close();
  signal.throwIfAborted();
  if (
    child.exitCode === notEntered &&
    enclosure.gates.length > 0 &&
    stderrText().includes(enclosure.gates[0] ?? '')
  ) {
    throw new Error(`cannot enter the cgroup of a run: ${stderrText().trim()}`);
  }

  const usage = enclosure.usage();
  const cpuMs = childTimesMs(reportText()) ?? usage.cpuMs;
  const reached = limit ?? overrun(usage, cpuMs, wallMs, limits);
  return {
    stdout: stdoutText(),
    stderr: stderrText(),
    wallMs,
    ...(child.exitCode === null ? {} : { exitCode: child.exitCode }),
    ...(child.signalCode === null ? {} : { signal: child.signalCode }),
    ...(reached === undefined ? {} : { limit: reached }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
    ...(usage.peakMemoryBytes === undefined ? {} : { peakMemoryBytes: usage.peakMemoryBytes }),
  };
}

/** A limit passed between two looks, or in the last instant, is passed all the same. */
function overrun(
  usage: Usage,
  cpuMs: number | undefined,
  wallMs: number,
  limits: Limits,
): LimitName | undefined {
  if (usage.outOfMemory) return 'memory';
  if (wallMs > limits.wallMs) return 'wall';
  if (cpuMs !== undefined && limits.cpuMs !== undefined && cpuMs > limits.cpuMs) return 'cpu';
  return undefined;
}

/**
 * Limits each process keeps by itself, coarser and later than those culprit keeps, so that a solver ends even
 * when nobody is left to end it. No core dumps: writing one takes longer than most runs.
 */
function backstops(limits: Limits, outputBytes: number): Enclosure['rlimits'] {
  const cpuMs = Math.min(limits.cpuMs ?? Number.POSITIVE_INFINITY, limits.wallMs * availableParallelism());
  return [
    ['-c', 0],
    ['-t', Math.ceil(cpuMs / 1000) + 1],
    ['-f', Math.ceil(outputBytes / 512)],
  ];
}
