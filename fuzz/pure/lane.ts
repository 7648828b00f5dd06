/** Controls the process for pure functions, and restarts it if it hangs or dies. */

import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attemptRandom } from '../attempt-random.js';
import type { Corpus } from '../corpus.js';
import { endProcess, processorMs } from '../watch/processes.js';
import type { ChildReport, ChildRequest, ChildSetup, PureFailure } from './child.js';
import { type PureTarget, type PureTargetName, pureTargets } from './targets.js';

/** Processor time limit of an attempt. Inputs are small. */
const mostProcessorMs = 10_000;
const lookEveryMs = 200;
const megabytes = 2000;

export class PureProcess {
  readonly #setup: ChildSetup;
  #child: ChildProcess | undefined;

  /** @param own an unwatched folder */
  constructor(own: string, seed: number, corpus: Corpus) {
    const folder = join(own, 'here');
    mkdirSync(folder, { recursive: true });
    this.#setup = { seed, corpus, folder, progressFile: join(own, 'progress') };
    writeFileSync(this.#setup.progressFile, '');
  }

  /** The input of an attempt. */
  inputOf(name: PureTargetName, index: number): string {
    const target: PureTarget = pureTargets[name];
    const random = attemptRandom(this.#setup.seed, `pure ${name}`, index);
    random.split();
    return target.make(this.#setup.corpus, random);
  }

  /** Runs attempts from a number on. Ends early if an attempt took too long or killed the process. */
  run(
    target: PureTargetName,
    from: number,
    forMs: number,
    most = Number.MAX_SAFE_INTEGER,
  ): Promise<ChildReport> {
    return this.#order({ target, from, forMs, most }, from);
  }

  /** Runs one of the attempts again on another input. */
  async again(target: PureTargetName, index: number, input: string): Promise<PureFailure | undefined> {
    const { failures } = await this.#order({ target, index, input }, index);
    return failures[0];
  }

  close(): void {
    this.#child?.kill('SIGKILL');
  }

  async #order(order: ChildRequest, from: number): Promise<ChildReport> {
    const child = this.#started();
    child.send(order);
    const end = await this.#answerOf(child, from);
    if (!('detail' in end)) return end;
    this.#child = undefined;
    const { index } = end;
    return { next: index + 1, failures: [end], slowest: { index, ms: end.ms } };
  }

  #answerOf(
    child: ChildProcess,
    from: number,
  ): Promise<ChildReport | (PureFailure & { readonly ms: number })> {
    const pid = child.pid ?? 0;
    let index = from;
    let since = processorMs(pid);
    let isLate = false;
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        const now = processorMs(pid);
        const under = this.#underWay(from);
        if (under !== index) [index, since] = [under, now];
        isLate = now - since > mostProcessorMs;
        if (isLate) endProcess(pid);
      }, lookEveryMs);
      const settle = (answer: ChildReport | (PureFailure & { readonly ms: number })): void => {
        clearInterval(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      child.once('message', (report) => settle(report as ChildReport));
      child.once('exit', (code, signal) => {
        const detail = isLate
          ? `more than ${mostProcessorMs / 1000} s of processor time`
          : `ended with ${signal ?? code}`;
        settle({ index: this.#underWay(from), detail, stack: '', ms: isLate ? mostProcessorMs : 0 });
      });
    });
  }

  #underWay(from: number): number {
    const said = Number(readFileSync(this.#setup.progressFile, 'utf8'));
    return Math.max(from, said || 0);
  }

  #started(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [], {
      execArgv: ['--import', 'tsx', `--max-old-space-size=${megabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.send(this.#setup);
    this.#child = child;
    return child;
  }
}
