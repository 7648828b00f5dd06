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
import type { Stay } from '../families/family.js';

export interface StayingOptions {
  /** No other run may use its launcher. */
  readonly preparedRun: PreparedRun;
  /** Only one solver at a time may have this place. */
  readonly place: number;
  readonly command: readonly string[];
  readonly stay: Stay;
  readonly limits: Limits;
}

/** The output within the time limit, or the fact that the limit was exceeded. */
export type Reply =
  | { readonly kind: 'answered'; readonly stdout: string; readonly wallMs: number }
  | { readonly kind: 'late'; readonly wallMs: number };

/** Tolerance after the solver's own timer, before culprit kills it. */
const graceMs = 30;

/** More than any formula that a reused solver gets should print. */
const mostOutput = 1 << 20;

/** No core dumps, and a limited standard error, which is a file. */
const ownLimits: readonly Rlimit[] = [
  ['-c', 0],
  ['-f', mostOutput],
];

/** Time to answer the first command. */
const startMs = 1000;

const openedWholly = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * A solver process that is reused for many formulas, because starting a process takes longer than most formulas do.
 *
 * It is confined like every solver, but reads and writes named pipes instead of files. After each formula it receives
 * a reset, and an `echo` that marks the end of its answers.
 */
export class StayingSolver {
  readonly #preparedRun: PreparedRun;
  readonly #stay: Stay;
  readonly #input: number;
  readonly #output: Socket;
  readonly #pollEveryMs: number | undefined;
  readonly #ended: Promise<unknown>;
  #isOver = false;
  /** Set once it is being killed. */
  #killing: Promise<void> | undefined;
  #asked = 0;
  #isTight = false;
  #printed = '';
  #listen: () => void = () => {};

  constructor({ preparedRun, place, command, stay, limits }: StayingOptions) {
    this.#preparedRun = preparedRun;
    this.#stay = stay;
    preparedRun.files.usePipes(`place-${place}`);
    // Both ends of each pipe are open here, so that neither side blocks on opening or sees an early end of file.
    this.#input = openSync(preparedRun.files.input, openedWholly);
    this.#output = new Socket({
      fd: openSync(preparedRun.files.output, openedWholly),
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
    this.#ended = preparedRun.launcher.start([...ownLimits, ...rlimits], command).finally(() => {
      this.#isOver = true;
      this.#listen();
    });
  }

  /** The number of formulas so far. */
  get asked(): number {
    return this.#asked;
  }

  /** True if it can take another formula. */
  get isThere(): boolean {
    return !this.#isOver && this.#killing === undefined;
  }

  /** True if its pipe had no room for a whole formula. */
  get isTight(): boolean {
    return this.#isTight;
  }

  /** Waits until the solver reads its input. */
  async start(signal: AbortSignal): Promise<boolean> {
    return (await this.#exchange('', startMs, 0, signal))?.kind === 'answered';
  }

  /** Undefined if the solver has exited or printed too much. */
  async ask(text: string, limits: Limits, signal: AbortSignal): Promise<Reply | undefined> {
    this.#asked++;
    return this.#exchange(
      `${this.#stay.timer(timeoutOf(limits))}\n${text}`,
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
    const mark = `culprit-${this.#asked}`;
    const isDone = (): boolean => this.#printed.endsWith(`${mark}\n`);
    this.#printed = '';
    const startedAt = performance.now();
    const ended = this.#until(() => isDone() || this.#isOver || this.#printed.length > mostOutput);
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
      if (!this.#write(`${text}\n${this.#stay.forget}\n(echo "${mark}")\n`)) kill();
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
    if (!this.isThere || !isDone()) return undefined;
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
      this.#isTight = writeSync(this.#input, bytes) < bytes.length;
    } catch {
      this.#isTight = true;
    }
    return !this.#isTight;
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
