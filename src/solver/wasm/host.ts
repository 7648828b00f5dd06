/**
 * The program of a host: `node --import preload.js host.js PACKAGE-FOLDER WORDS`. It holds one Z3, evaluates one formula
 * at a time, and ends when culprit does. A formula that is a danger to it is a danger to nothing else.
 */

import { compileOnceAhead } from './compilation.js';
import { evaluate } from './evaluate.js';
import { collectGarbage } from './garbage.js';
import { type HostJob, type Order, type Report, untimedWord } from './job.js';
import { warmUp, warmUpRounds } from './warm-up.js';
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

const [, , packageDir = '', ...words] = process.argv;
/** Whose times say nothing anyway needs neither all of Z3 compiled nor any of it warm. */
const isUntimed = words.includes(untimedWord);

let interrupt = () => {};

/** What a Z3 that is ended leaves undone is never heard of again. */
let lastJob: Promise<void> = Promise.resolve();
let z3: Z3Module | undefined;

async function load(rounds: number): Promise<void> {
  const loaded = await Z3Module.load(packageDir);
  // Each Z3 adds listeners of its own to the process, which would hold it for ever; ours come first anyway.
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
  await warmUp(loaded, isUntimed ? 0 : rounds);
  z3 = loaded;
  lastJob = Promise.resolve();
  report({ kind: 'ready', residentBytes: process.memoryUsage.rss() });
}

/** The code stays compiled, so this takes a fraction of what a new host would. */
async function renew(rounds: number): Promise<void> {
  await z3?.end();
  z3 = undefined;
  interrupt = () => {};
  // The memory of a Z3 is outside of what the collector keeps an eye on.
  collectGarbage();
  await load(rounds);
}

const observer: Observer = {
  started: () => report({ kind: 'started' }),
  deaf: (used) => {
    report({ kind: 'deaf', used: { ...used, called: z3?.called } });
    void renew(warmUpRounds.afterDeafness);
  },
  onInterrupt: (given) => {
    interrupt = given;
  },
};

async function work(job: HostJob): Promise<void> {
  if (z3 === undefined) throw new Error('a job came before Z3 was loaded');
  await evaluate(z3, job, observer, (evaluation) =>
    report({ kind: 'done', evaluation, residentBytes: process.memoryUsage.rss() }),
  );
}

/** The next order may come while the last job is still being cleaned up after. */
function obey(order: Order): void {
  switch (order.kind) {
    case 'interrupt':
      interrupt();
      return;
    case 'renew':
      lastJob = lastJob.then(() => renew(warmUpRounds.again));
      return;
    case 'evaluate':
      lastJob = lastJob.then(() => work(order.job));
  }
}

// An abort of Z3, or a thread of it that trapped. Emscripten would end the process without a word to culprit.
process.setUncaughtExceptionCaptureCallback((error) => {
  report({ kind: 'broken', message: String(error), called: z3?.called }, end);
});
process.on('disconnect', end);
// Culprit may have ended before anybody listened.
if (!process.connected) end();
process.on('message', obey);
if (!isUntimed) compileOnceAhead();
hurry();
await load(warmUpRounds.first);
