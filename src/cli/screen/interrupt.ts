/** What ends a job from outside: Ctrl-C, a signal, a terminal that was closed, a reader that had enough. */

import { setMaxListeners } from 'node:events';

/** What asks a process to end; whoever closes the terminal means the same as whoever presses Ctrl-C. */
const heard: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The codes a command ends with: as a shell would say it, but one for everything that is asked of it by a person. */
export const interruptedCode = 130;
/** The one of SIGPIPE, which ends other programs in the same case. */
export const unreadCode = 141;

/** Why a job was ended from outside. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** The user knows already, and how to go on. */
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
 * From here on the job computes in one piece, has no children and leaves nothing half done: what asks the process to end
 * ends it at once, since nobody would hear it before the piece is over.
 */
export function endsAtOnce(): void {
  deafen();
}

/**
 * Runs a job that Ctrl-C ends: the first interrupt aborts the signal, so the job can end its children and print where
 * things stand; a second one ends the process at once.
 */
export async function interruptible<Value>(job: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  // Every run of the job listens to it, and dozens may wait for their turn: that is no leak to warn of.
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
    // Whatever goes wrong once everything is being ended goes wrong because of that.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    underWay = undefined;
    deafen();
  }
}

/** One Ctrl-C may arrive twice: from the terminal, and from npm, which hands on what it heard from the terminal. */
const echoMs = 300;

/** Ends what is under way as an interrupt does, and the process at once where nothing is. */
export function endEarly(why: string, exitCode: number): void {
  process.exitCode = exitCode;
  if (underWay === undefined) process.exit(exitCode);
  underWay.abort(new Interrupted(why, exitCode));
}

/** The code of a command that printed what there was when its job was ended. */
export function codeOfEnd(signal: AbortSignal): number {
  const reason: unknown = signal.reason;
  return reason instanceof Interrupted ? reason.exitCode : interruptedCode;
}
