/**
 * Runs a job that Ctrl-C ends: the first interrupt aborts the signal, so the job can end its children and print where
 * things stand; a second one ends the process at once.
 */
export async function interruptible<Value>(job: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const stop = (name: NodeJS.Signals): void => {
    if (firstAt !== undefined && performance.now() - firstAt > echoMs) process.exit(130);
    firstAt ??= performance.now();
    controller.abort(new Interrupted(name));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await job(controller.signal);
  } catch (error) {
    // Whatever goes wrong once everything is being ended goes wrong because of that.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** One Ctrl-C may arrive twice: from the terminal, and from npm, which hands on what it heard from the terminal. */
const echoMs = 300;

/** Why a job was ended from outside. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** The user knows already, and how to go on. */
  isTold = false;
  constructor(signal: string) {
    super(`interrupted by ${signal}`);
  }
}
