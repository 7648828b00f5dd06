/** A program of culprit's own in a process of its own that stays and is talked to. */

import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { keepInBackground, keepInForeground } from './background.js';
import { processInfo } from './proc-files.js';

export interface NodeProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Loaded before it. */
  readonly preload: string;
}

const keptStderr = 1 << 14;

/** Orders go in, reports come out, one at a time and in order. It ends when culprit does. */
export class NodeChild<Order extends Serializable, Report> {
  /** Resolves when the process is gone, for whatever reason, and its last reports have been heard. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  #stderr = '';
  #failure: string | undefined;

  constructor({ file, args, preload }: NodeProgram, onReport: (report: Report) => void) {
    this.#child = fork(file, [...args], {
      execArgv: ['--import', pathToFileURL(preload).href],
      env: environment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl-C in the terminal is for culprit to hear.
      detached: true,
    });
    this.gone = this.#end();
    this.#child.on('message', (report) => onReport(report as Report));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < keptStderr) this.#stderr += chunk.toString();
    });
  }

  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it has worked so far; not every system tells. */
  get cpuMs(): number | undefined {
    return this.#child.pid === undefined ? undefined : processInfo(this.#child.pid)?.cpuMs;
  }

  /** The beginning of what it complained. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Why it could not be started or talked to. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get exitCode(): number | undefined {
    return this.#child.exitCode ?? undefined;
  }

  get signal(): NodeJS.Signals | undefined {
    return this.#child.signalCode ?? undefined;
  }

  /** Culprit does not end before it; also not while only its last words are still to be read. */
  keepInForeground(): void {
    keepInForeground(this.#child);
  }

  keepInBackground(): void {
    keepInBackground(this.#child);
  }

  /** One that is gone cannot be told anything; its end is seen elsewhere. */
  order(order: Order): void {
    if (this.#child.connected) this.#child.send(order, () => {});
  }

  async kill(): Promise<void> {
    // Once killed it keeps culprit until it is gone: an idle one would be waited for in vain.
    this.keepInForeground();
    this.#child.kill('SIGKILL');
    await this.gone;
  }

  async #end(): Promise<void> {
    try {
      // Reports written in the last instant are still read after the process has ended.
      await Promise.all([once(this.#child, 'close'), once(this.#child, 'disconnect')]);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
  }
}

/** Node's own settings are meant for culprit: a debugger or a loader of it would be one more in every child. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
}
