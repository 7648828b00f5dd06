/** Runs a command in a sandbox and watches it until all of its processes have ended. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Attempt, CommandEnd } from './attempt.js';
import type { Sandbox } from './sandbox.js';
import { commandOf, endProcess, processesWith, processorMs } from './watch/processes.js';
import { ancestorsOf, below, differences, type Snapshot } from './watch/snapshot.js';

/** Generous limits, so that exceeding them is a fault on any machine. */
export interface TimeLimits {
  /** Processor time of a command beyond its own time limit. */
  readonly ownMs: number;
  /** Allowed multiple of the command's own time limit. */
  readonly factor: number;
  /** Wall-clock time, for commands that only wait. */
  readonly wallMs: number;
  /** Time for watchdogs to clean up. */
  readonly graceMs: number;
}

export const usualLimits: TimeLimits = { ownMs: 30_000, factor: 10, wallMs: 240_000, graceMs: 5000 };

const lookEveryMs = 250;
const mostOutput = 1 << 24;

export async function runAttempt(
  sandbox: Sandbox,
  attempt: Attempt,
  patience: TimeLimits = usualLimits,
): Promise<CommandEnd> {
  sandbox.clear();
  attempt.prepare(sandbox.workFolder, attempt.input);
  const before = sandbox.snapshot();
  const startedAt = performance.now();
  const [program = '', ...words] = sandbox.command;
  const child = spawn(program, [...words, ...attempt.args], {
    cwd: sandbox.workFolder,
    env: sandbox.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stdout = collectText(child.stdout);
  const stderr = collectText(child.stderr);
  const marks = sandbox.processMarks(child.pid ?? 0);
  const watch = enforceLimits(marks, attempt.limitMs ?? 0, patience);
  const { exitCode, signal } = await endOf(child);
  const wallMs = performance.now() - startedAt;
  const { processorMs, overLimit } = watch.end();
  const leftRunning = await untilEmpty(patience.graceMs, () => processesWith(marks));
  const said = leftRunning.map(commandOf);
  for (const pid of leftRunning) endProcess(pid);
  const leftInTemporary = await untilEmpty(patience.graceMs, () => readdirSync(sandbox.temporary));
  return {
    exitCode,
    signal,
    stdout: stdout(),
    stderr: stderr(),
    wallMs,
    processorMs,
    overLimit,
    // A killed command could not clean up.
    leftRunning: overLimit === undefined ? said : [],
    leftInTemporary: overLimit === undefined ? leftInTemporary.map(withoutNumbers) : [],
    changedFiles: forbiddenChanges(sandbox, before, attempt.writable ?? []),
  };
}

function collectText(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (length < mostOutput) chunks.push(chunk);
    length += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

async function endOf(
  child: ChildProcess,
): Promise<{ readonly exitCode: number | undefined; readonly signal: string | undefined }> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // Not `close`, because processes that it left running may hold its output open.
    child.on('exit', (code, signal) => {
      setTimeout(() => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }), settleMs);
    });
  });
}

/** Time for the last output to arrive. */
const settleMs = 20;

/** Kills commands that exceed their limits. */
function enforceLimits(marks: readonly string[], toldMs: number, patience: TimeLimits) {
  const mostProcessorMs = patience.ownMs + patience.factor * toldMs;
  const mostWallMs = patience.wallMs + patience.factor * toldMs;
  const startedAt = performance.now();
  const spent = new Map<number, number>();
  let overLimit: string | undefined;
  const total = (): number => [...spent.values()].reduce((sum, ms) => sum + ms, 0);
  const look = (): void => {
    const pids = processesWith(marks);
    for (const pid of pids) spent.set(pid, processorMs(pid));
    if (total() > mostProcessorMs) overLimit = `more than ${mostProcessorMs / 1000} s of processor time`;
    else if (performance.now() - startedAt > mostWallMs)
      overLimit = `more than ${mostWallMs / 1000} s on the clock`;
    if (overLimit !== undefined) for (const pid of pids) endProcess(pid);
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    end: () => {
      clearInterval(timer);
      return { processorMs: total(), overLimit };
    },
  };
}

/** The list after the grace period, or as soon as it is empty. */
async function untilEmpty<Item>(graceMs: number, list: () => readonly Item[]): Promise<readonly Item[]> {
  const until = performance.now() + graceMs;
  for (;;) {
    const items = list();
    if (items.length === 0 || performance.now() > until) return items;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function forbiddenChanges(sandbox: Sandbox, before: Snapshot, allowed: readonly string[]): readonly string[] {
  const places = allowed.map((path) => join(sandbox.workFolder, path));
  const isBelow = below(places);
  const ways = ancestorsOf(places, sandbox.workFolder);
  const isAllowed = (path: string): boolean => isBelow(path) || ways.has(path);
  const top = Buffer.from(sandbox.top).toString('latin1');
  return differences(before, sandbox.snapshot(), isAllowed).map((line) =>
    withoutNumbers(line.replace(top, '')),
  );
}

/** Names that culprit generates contain its process id. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d{2,}/g, 'N');
}
