/**
 * The program of a host: `node --import preload.js host.js PACKAGE-FOLDER`. It holds one Z3, evaluates one formula
 * at a time, and ends when culprit does. A formula that is a danger to it is a danger to nothing else.
 */

import { compileOnceAhead } from './compilation.js';
import { evaluate } from './evaluate.js';
import type { Job, Order, Report } from './job.js';
import { warmUp } from './warm-up.js';
import type { Observer } from './watch.js';
import { Z3Module } from './z3-module.js';

function report(what: Report, then?: () => void): void {
  process.send?.(what, undefined, undefined, () => then?.());
}

/** Not `process.exit`, which waits for the threads. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** A thread's result comes back through `setTimeout(…, 0)`, which takes a millisecond; a formula has three results. */
function hurry(): void {
  const { setTimeout } = globalThis;
  Reflect.set(globalThis, 'setTimeout', (...[callback, delay, ...words]: Parameters<typeof setTimeout>) =>
    delay === 0 ? setImmediate(callback, ...words) : setTimeout(callback, delay, ...words),
  );
}

let interrupt = () => {};

const observer: Observer = {
  started: () => report({ kind: 'started' }),
  deaf: (used) => report({ kind: 'deaf', used }, end),
  onInterrupt: (given) => {
    interrupt = given;
  },
};

async function work(z3: Z3Module, job: Job): Promise<void> {
  await evaluate(z3, job, observer, (evaluation) =>
    report({ kind: 'done', evaluation, residentBytes: process.memoryUsage.rss() }),
  );
}

async function main(packageDir: string): Promise<void> {
  compileOnceAhead();
  const z3 = await Z3Module.load(packageDir);
  hurry();
  await warmUp(z3);
  let lastJob = Promise.resolve();
  process.on('message', (order: Order) => {
    if (order.kind === 'interrupt') interrupt();
    // The next job may come while the last one is still being cleaned up after.
    else lastJob = lastJob.then(() => work(z3, order.job));
  });
  report({ kind: 'ready', residentBytes: process.memoryUsage.rss() });
}

// An abort of Z3, or a thread of it that trapped. Emscripten would end the process without a word to culprit.
process.setUncaughtExceptionCaptureCallback((error) => {
  report({ kind: 'broken', message: String(error) }, end);
});
process.on('disconnect', end);
await main(process.argv[2] ?? '');
