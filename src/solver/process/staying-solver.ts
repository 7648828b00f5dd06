import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type Bench, killUntil, type Limits, lookout, type Rlimit, timeoutOf } from '../../machine/index.js';
import type { Stay } from '../families/family.js';

export interface StayingOptions {
  /** Its launcher is needed by no other run. */
  readonly bench: Bench;
  /** Only one solver at a time is at a place. */
  readonly place: number;
  readonly command: readonly string[];
  readonly stay: Stay;
  readonly limits: Limits;
}

/** What came of a formula: what was printed within the time, or that the time was over. */
export type Reply =
  | { readonly kind: 'answered'; readonly stdout: string; readonly wallMs: number }
  | { readonly kind: 'late'; readonly wallMs: number };

/** A solver that gives up by its own timer may take this much longer; one that does not is ended. */
const graceMs = 30;

/** What any answer to a few questions takes many times over. */
const mostOutput = 1 << 20;

/** No core dumps, and no flood of complaints: standard error is a file. */
const ownLimits: readonly Rlimit[] = [
  ['-c', 0],
  ['-f', mostOutput],
];

/** A solver that has not answered by then will not. */
const startMs = 1000;

const openedWholly = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * A solver process that stays for many formulas. Starting a process takes longer than most formulas do; where a formula
 * is only looked at to see whether it is quick, it need not have one of its own.
 *
 * It is enclosed as every solver is, and reads and writes pipes with names instead of files. After each formula it is
 * told to forget it, and to say a word by which the end of its answers is known.
 */
export class StayingSolver {
  readonly #bench: Bench;
  readonly #stay: Stay;
  readonly #input: number;
  readonly #output: Socket;
  readonly #lookEveryMs: number | undefined;
  readonly #ended: Promise<unknown>;
  #isOver = false;
  /** It was told to end. */
  #killing: Promise<void> | undefined;
  #asked = 0;
  #isTight = false;
  #printed = '';
  #listen: () => void = () => {};

  constructor({ bench, place, command, stay, limits }: StayingOptions) {
    this.#bench = bench;
    this.#stay = stay;
    bench.files.usePipes(`place-${place}`);
    // Both ends of each are open here, so that neither side waits for the other to open its own, or sees an end before.
    this.#input = openSync(bench.files.input, openedWholly);
    this.#output = new Socket({
      fd: openSync(bench.files.output, openedWholly),
      readable: true,
      writable: false,
    });
    this.#output.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
      this.#listen();
    });
    this.#output.on('error', () => {});
    const { rlimits, lookEveryMs } = bench.enclosure.confine(limits);
    this.#lookEveryMs = lookEveryMs;
    this.#ended = bench.launcher.start([...ownLimits, ...rlimits], command).finally(() => {
      this.#isOver = true;
      this.#listen();
    });
  }

  /** How many formulas it was given. */
  get asked(): number {
    return this.#asked;
  }

  /** It can be given another formula. */
  get isThere(): boolean {
    return !this.#isOver && this.#killing === undefined;
  }

  /** Its pipe had no room for a whole formula. */
  get isTight(): boolean {
    return this.#isTight;
  }

  /** Waits until it reads what it is given. */
  async start(signal: AbortSignal): Promise<boolean> {
    return (await this.#exchange('', startMs, 0, signal))?.kind === 'answered';
  }

  /** Undefined if it has ended meanwhile, for whatever reason, or has printed far too much. */
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
    const stopLooking = lookout(this.#bench.enclosure, this.#lookEveryMs, { wallMs: limitMs + grace }, kill);
    signal.addEventListener('abort', kill, { once: true });
    try {
      if (!this.#write(`${text}\n${this.#stay.forget}\n(echo "${mark}")\n`)) kill();
      await ended;
    } finally {
      stopLooking();
      signal.removeEventListener('abort', kill);
    }
    // What it would still say belongs to this formula, and not to the next.
    if (!isDone()) kill();
    signal.throwIfAborted();
    const wallMs = performance.now() - startedAt;
    if (wallMs > limitMs) return { kind: 'late', wallMs };
    if (!this.isThere || !isDone()) return undefined;
    return { kind: 'answered', stdout: this.#printed.slice(0, -mark.length - 1), wallMs };
  }

  #kill(): Promise<void> {
    this.#killing ??= killUntil(() => this.#isOver, this.#bench.enclosure);
    return this.#killing;
  }

  /** Not all of it fits into the pipe where the machine is short of room for pipes. */
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

  /** Returns when nothing of it is left but its bench. */
  async end(): Promise<void> {
    await this.#kill();
    await this.#ended;
    await this.#bench.enclosure.killAll();
    this.#output.destroy();
    closeSync(this.#input);
  }
}
