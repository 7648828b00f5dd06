/** Runs attempts on pure functions in its own process, which may hang or run out of memory. */

import { openSync, writeSync } from 'node:fs';
import { attemptRandom } from '../attempt-random.js';
import type { Corpus } from '../corpus.js';
import { traceText } from '../violations.js';
import { type PureTarget, type PureTargetName, pureTargets } from './targets.js';

/** The first message to the process. */
export interface ChildSetup {
  readonly seed: number;
  readonly corpus: Corpus;
  /** Holds the number of the current attempt. */
  readonly progressFile: string;
  readonly folder: string;
}

/** Attempts from a number on for some time, or one attempt again on another input. */
export type ChildRequest =
  | { readonly target: PureTargetName; readonly from: number; readonly forMs: number; readonly most: number }
  | { readonly target: PureTargetName; readonly index: number; readonly input: string };

export interface PureFailure {
  readonly index: number;
  readonly detail: string;
  readonly stack: string;
}

export interface ChildReport {
  /** The number after the last attempt. */
  readonly next: number;
  readonly failures: readonly PureFailure[];
  readonly slowest: { readonly index: number; readonly ms: number };
}

let setup: ChildSetup | undefined;
let progress: number | undefined;

process.on('message', (message: ChildSetup | ChildRequest) => {
  if ('corpus' in message) {
    setup = message;
    progress = openSync(message.progressFile, 'w');
    process.chdir(message.folder);
  } else void follow(message);
});

async function follow(order: ChildRequest): Promise<void> {
  const report = 'input' in order ? await again(order) : await several(order);
  process.send?.(report);
}

async function again({
  target,
  index,
  input,
}: Extract<ChildRequest, { readonly input: string }>): Promise<ChildReport> {
  const failure = await attempted(target, index, input);
  const failures = failure === undefined ? [] : [failure];
  return { next: index + 1, failures, slowest: { index, ms: 0 } };
}

async function several({
  target,
  from,
  forMs,
  most,
}: Extract<ChildRequest, { readonly from: number }>): Promise<ChildReport> {
  const failures: PureFailure[] = [];
  let slowest = { index: from, ms: 0 };
  const startedAt = performance.now();
  let at = startedAt;
  let index = from;
  for (; index < from + most && at - startedAt < forMs; index++) {
    const failure = await attempted(target, index, undefined);
    if (failure !== undefined) failures.push(failure);
    const now = performance.now();
    if (now - at > slowest.ms) slowest = { index, ms: now - at };
    at = now;
  }
  return { next: index, failures, slowest };
}

async function attempted(
  name: PureTargetName,
  index: number,
  input: string | undefined,
): Promise<PureFailure | undefined> {
  if (setup === undefined || progress === undefined) throw new Error('a request arrived before the setup');
  writeSync(progress, String(index).padEnd(12), 0);
  const target: PureTarget = pureTargets[name];
  const random = attemptRandom(setup.seed, `pure ${name}`, index);
  // Split off before the input is generated, so that another input gets the same random numbers.
  const own = random.split();
  const tried = input ?? target.make(setup.corpus, random);
  try {
    await target.attempt(tried, own, setup.folder);
    return undefined;
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { index, detail: traceText(stack), stack: stack.slice(0, 4000) };
  }
}
