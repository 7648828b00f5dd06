/**
 * The program of a host: `node --import preload.js host.js PACKAGE-FOLDER WORDS`. It holds one Z3, evaluates one
 * formula at a time, and exits when culprit does. A dangerous formula harms only this process.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileOnceAhead } from './compilation.js';
import { evaluate } from './evaluate.js';
import { type HostJob, type HostOrder, type HostReport, untimedFlag } from './job.js';
import { warmUp, warmUpRounds } from './warm-up.js';
import type { Observer } from './watch.js';
import { Z3Module } from './z3-module.js';

function report(what: HostReport, then?: () => void): void {
  process.send?.(what, undefined, undefined, () => then?.());
}

/** `process.exit` would wait for the threads. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Results of threads arrive through `setTimeout(…, 0)`, which takes a millisecond. A formula has three of them. */
function hastenTimeouts(): void {
  const { setTimeout } = globalThis;
  Reflect.set(globalThis, 'setTimeout', (...[callback, delay, ...words]: Parameters<typeof setTimeout>) =>
    delay === 0 ? setImmediate(callback, ...words) : setTimeout(callback, delay, ...words),
  );
}

const [, , packageDir = '', ...words] = process.argv;
/** Untimed runs need neither full compilation nor a warm-up. */
const isUntimed = words.includes(untimedFlag);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('globalThis.gc') ?? (() => {});

let interrupt = () => {};

/** A job of a terminated Z3 never settles. */
let lastJob: Promise<void> = Promise.resolve();
let z3: Z3Module | undefined;

async function load(rounds: number): Promise<void> {
  const loaded = await Z3Module.load(packageDir);
  // Each Z3 adds process listeners, which would keep it in memory. The host's own handler comes first anyway.
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
  await warmUp(loaded, isUntimed ? 0 : rounds);
  z3 = loaded;
  lastJob = Promise.resolve();
  report({ kind: 'ready', residentBytes: process.memoryUsage.rss() });
}

/** The code stays compiled, so this is much quicker than a new host. */
async function renew(rounds: number): Promise<void> {
  await z3?.end();
  z3 = undefined;
  interrupt = () => {};
  // The garbage collector does not see the memory of a Z3.
  collectGarbage();
  await load(rounds);
}

const observer: Observer = {
  started: () => report({ kind: 'started' }),
  unresponsive: (used) => {
    report({ kind: 'unresponsive', used: { ...used, called: z3?.called } });
    void renew(warmUpRounds.afterInterruptFailure);
  },
  onInterrupt: (given) => {
    interrupt = given;
  },
};

async function evaluateJob(job: HostJob): Promise<void> {
  if (z3 === undefined) throw new Error('a job came before Z3 was loaded');
  await evaluate(z3, job, observer, (evaluation) =>
    report({ kind: 'done', evaluation, residentBytes: process.memoryUsage.rss() }),
  );
}

/** The next order may arrive during the cleanup of the last job. */
function handleOrder(order: HostOrder): void {
  switch (order.kind) {
    case 'interrupt':
      interrupt();
      return;
    case 'renew':
      lastJob = lastJob.then(() => renew(warmUpRounds.afterReload));
      return;
    case 'evaluate':
      lastJob = lastJob.then(() => evaluateJob(order.job));
  }
}

// Z3 aborted, or one of its threads trapped. Without this, Emscripten would end the process silently.
process.setUncaughtExceptionCaptureCallback((error) => {
  report({ kind: 'broken', message: String(error), called: z3?.called }, end);
});
process.on('disconnect', end);
// The parent may have exited before the listener was added.
if (!process.connected) end();
process.on('message', handleOrder);
if (!isUntimed) compileOnceAhead();
hastenTimeouts();
await load(warmUpRounds.first);
