/** A long-lived Node process with a request and response channel. */

import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { keepInBackground, keepInForeground } from './background.js';
import { processInfo } from './proc-files.js';

export interface NodeProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly preload: string;
}

const keptStderr = 1 << 14;

/** Sends requests and receives responses in order, one at a time. The process ends when culprit does. */
export class NodeChild<Order extends Serializable, Report> {
  /** Resolves when the process has ended and its last responses were received. */
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

  get cpuMs(): number | undefined {
    return this.#child.pid === undefined ? undefined : processInfo(this.#child.pid)?.cpuMs;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  get exitCode(): number | undefined {
    return this.#child.exitCode ?? undefined;
  }

  get signal(): NodeJS.Signals | undefined {
    return this.#child.signalCode ?? undefined;
  }

  /** Keeps culprit from exiting before it, or before its last output is read. */
  keepInForeground(): void {
    keepInForeground(this.#child);
  }

  keepInBackground(): void {
    keepInBackground(this.#child);
  }

  /** Ignored if the process has ended; `gone` reports that. */
  send(order: Order): void {
    if (this.#child.connected) this.#child.send(order, () => {});
  }

  async kill(): Promise<void> {
    // Keeps culprit running until a killed process is gone.
    this.keepInForeground();
    this.#child.kill('SIGKILL');
    await this.gone;
  }

  async #end(): Promise<void> {
    try {
      // Responses written just before the end are still read afterwards.
      await Promise.all([once(this.#child, 'close'), once(this.#child, 'disconnect')]);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
  }
}

/** Node's settings are meant for culprit: its debugger or loader would also start in every child. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
}
