import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import {
  killUntil,
  type Limits,
  type PreparedRun,
  type Rlimit,
  timeoutOf,
  watchLimits,
} from '../../machine/index.js';
import type { Reuse } from '../families/family.js';

export interface ReusableSolverOptions {
  /** No other run may use its launcher. */
  readonly preparedRun: PreparedRun;
  /** Only one solver at a time may have this place. */
  readonly place: number;
  readonly command: readonly string[];
  readonly reuse: Reuse;
  readonly limits: Limits;
}

export type Reply =
  | { readonly kind: 'answered'; readonly stdout: string; readonly wallMs: number }
  | { readonly kind: 'late'; readonly wallMs: number };

/** Tolerance after the solver's own timer, before culprit kills it. */
const graceMs = 30;

/** More than any formula that a reused solver gets should print. */
const maxOutputBytes = 1 << 20;

/** No core dumps, and a limited standard error, which is a file. */
const extraLimits: readonly Rlimit[] = [
  ['-c', 0],
  ['-f', maxOutputBytes],
];

/** Time to answer the first command. */
const startTimeoutMs = 1000;

const bothDirections = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * A solver process that is reused for many formulas, because starting a process takes longer than most formulas do.
 *
 * It is confined like every solver, but reads and writes named pipes instead of files. After each formula it receives
 * a reset, and an `echo` that marks the end of its answers.
 */
export class ReusableSolver {
  readonly #preparedRun: PreparedRun;
  readonly #reuse: Reuse;
  readonly #input: number;
  readonly #output: Socket;
  readonly #pollEveryMs: number | undefined;
  readonly #ended: Promise<unknown>;
  #isOver = false;
  #killing: Promise<void> | undefined;
  #queries = 0;
  #isPipeFull = false;
  #printed = '';
  #listen: () => void = () => {};

  constructor({ preparedRun, place, command, reuse, limits }: ReusableSolverOptions) {
    this.#preparedRun = preparedRun;
    this.#reuse = reuse;
    preparedRun.files.usePipes(`place-${place}`);
    // Both ends of each pipe are open here, so that neither side blocks on opening or sees an early end of file.
    this.#input = openSync(preparedRun.files.input, bothDirections);
    this.#output = new Socket({
      fd: openSync(preparedRun.files.output, bothDirections),
      readable: true,
      writable: false,
    });
    this.#output.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
      this.#listen();
    });
    this.#output.on('error', () => {});
    const { rlimits, pollEveryMs } = preparedRun.enclosure.confine(limits);
    this.#pollEveryMs = pollEveryMs;
    this.#ended = preparedRun.launcher.start([...extraLimits, ...rlimits], command).finally(() => {
      this.#isOver = true;
      this.#listen();
    });
  }

  get queries(): number {
    return this.#queries;
  }

  get isUsable(): boolean {
    return !this.#isOver && this.#killing === undefined;
  }

  /** True if its pipe had no room for a whole formula. */
  get isPipeFull(): boolean {
    return this.#isPipeFull;
  }

  async start(signal: AbortSignal): Promise<boolean> {
    return (await this.#exchange('', startTimeoutMs, 0, signal))?.kind === 'answered';
  }

  /** Undefined if the solver has exited or printed too much. */
  async solve(text: string, limits: Limits, signal: AbortSignal): Promise<Reply | undefined> {
    this.#queries++;
    return this.#exchange(
      `${this.#reuse.timer(timeoutOf(limits))}\n${text}`,
      timeoutOf(limits),
      graceMs,
      signal,
    );
  }

  async #exchange(
    text: string,
    limitMs: number,
    grace: number,
    signal: AbortSignal,
  ): Promise<Reply | undefined> {
    signal.throwIfAborted();
    const mark = `culprit-${this.#queries}`;
    const isDone = (): boolean => this.#printed.endsWith(`${mark}\n`);
    this.#printed = '';
    const startedAt = performance.now();
    const ended = this.#until(() => isDone() || this.#isOver || this.#printed.length > maxOutputBytes);
    const kill = (): void => {
      void this.#kill();
    };
    const stopLooking = watchLimits(
      this.#preparedRun.enclosure,
      this.#pollEveryMs,
      { wallMs: limitMs + grace },
      kill,
    );
    signal.addEventListener('abort', kill, { once: true });
    try {
      if (!this.#write(`${text}\n${this.#reuse.reset}\n(echo "${mark}")\n`)) kill();
      await ended;
    } finally {
      stopLooking();
      signal.removeEventListener('abort', kill);
    }
    // Late output belongs to this formula, not to the next one.
    if (!isDone()) kill();
    signal.throwIfAborted();
    const wallMs = performance.now() - startedAt;
    if (wallMs > limitMs) return { kind: 'late', wallMs };
    if (!this.isUsable || !isDone()) return undefined;
    return { kind: 'answered', stdout: this.#printed.slice(0, -mark.length - 1), wallMs };
  }

  #kill(): Promise<void> {
    this.#killing ??= killUntil(() => this.#isOver, this.#preparedRun.enclosure);
    return this.#killing;
  }

  /** False if the text does not fit into the pipe, because the machine is short of pipe buffers. */
  #write(text: string): boolean {
    const bytes = Buffer.from(text);
    try {
      this.#isPipeFull = writeSync(this.#input, bytes) < bytes.length;
    } catch {
      this.#isPipeFull = true;
    }
    return !this.#isPipeFull;
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#listen = () => {
        if (holds()) resolve();
      };
      this.#listen();
    });
  }

  /** Resolves when everything but the prepared run is gone. */
  async end(): Promise<void> {
    await this.#kill();
    await this.#ended;
    await this.#preparedRun.enclosure.killAll();
    this.#output.destroy();
    closeSync(this.#input);
  }
}
