/**
 * Runs a job that Ctrl-C ends: the first interrupt aborts the signal, so the job can end its children and print where
 * things stand; a second one ends the process at once.
 */
export async function interruptible<Value>(job: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Interrupted(name));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await job(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** Why a job was ended from outside. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor(signal: string) {
    super(`interrupted by ${signal}`);
  }
}
