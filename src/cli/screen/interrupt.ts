/** Interrupts of a job: Ctrl-C, signals, a closed terminal, a closed output pipe. */

import { setMaxListeners } from 'node:events';

/** The signals that interrupt a job. A closed terminal means the same as Ctrl-C. */
const heard: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The exit code after an interrupt by a person, the same for all signals. */
export const interruptedCode = 130;
/** The exit code of SIGPIPE, as of other programs. */
export const unreadCode = 141;

/** The reason for an interrupt. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** The interrupt has been reported to the user already. */
  isTold = false;
  constructor(
    why: string,
    readonly exitCode: number = interruptedCode,
  ) {
    super(why);
  }
}

let underWay: AbortController | undefined;

let deafen: () => void = () => {};

/**
 * From here on, a signal ends the process at once: the job blocks the event loop, has no children and leaves nothing
 * half done.
 */
export function endsAtOnce(): void {
  deafen();
}

/**
 * Runs a job that Ctrl-C can interrupt. The first interrupt aborts the signal, so that the job ends its children and
 * reports its state. The second interrupt ends the process at once.
 */
export async function interruptible<Value>(job: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  // Dozens of runs may listen at once; Node.js would warn of a leak.
  setMaxListeners(0, controller.signal);
  let firstAt: number | undefined;
  const stop = (name: NodeJS.Signals): void => {
    if (firstAt !== undefined && performance.now() - firstAt > echoMs) process.exit(interruptedCode);
    firstAt ??= performance.now();
    controller.abort(new Interrupted(`interrupted by ${name}`));
  };
  underWay = controller;
  for (const name of heard) process.on(name, stop);
  deafen = () => {
    for (const name of heard) process.off(name, stop);
  };
  try {
    return await job(controller.signal);
  } catch (error) {
    // A failure after an abort is a consequence of the abort.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    underWay = undefined;
    deafen();
  }
}

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by npm. */
const echoMs = 300;

/** Interrupts the running job, or ends the process if there is none. */
export function endEarly(why: string, exitCode: number): void {
  process.exitCode = exitCode;
  if (underWay === undefined) process.exit(exitCode);
  underWay.abort(new Interrupted(why, exitCode));
}

/** The exit code of a command whose job was interrupted. */
export function codeOfEnd(signal: AbortSignal): number {
  const reason: unknown = signal.reason;
  return reason instanceof Interrupted ? reason.exitCode : interruptedCode;
}
