import type { LimitName, Limits } from '../../machine/index.js';
import type { PartialMeasurements } from './job.js';
import type { Context, Z3Module } from './z3-module.js';

export interface Observer {
  readonly started: () => void;
  readonly unresponsive: (used: PartialMeasurements) => void;
  /** Registers the function that interrupts the evaluation. */
  readonly onInterrupt: (interrupt: () => void) => void;
}

export interface WatchedMeasurements {
  readonly stderr: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  /** It was interrupted, at a limit or on request. */
  readonly isInterrupted: boolean;
  readonly limit?: LimitName | undefined;
}

/** Processor time within which Z3 must react to an interrupt. Soon afterwards, culprit kills the host. */
const reactionMs = 50;

/** A killed host cannot report work counters, so a request for them waits longer. */
export function patienceMs({ work }: { readonly work: boolean }): number {
  return work ? 5 * reactionMs : reactionMs;
}

/** Ratio of wall time to processor time on a busy machine. */
const wallPerCpuTime = 20;

/** One check takes about ten microseconds. */
const checkEveryMs = 10;

/** The maximum of `setTimeout`. Longer delays would fire at once. */
export const longestTimeoutMs = 2 ** 31 - 1;

const defaultOutputBytes = 64 << 20;

/** Resident memory outside Z3's own count: stacks, fragmentation, and texts in the host. */
const residentAllowance = 256 << 20;

type WatchedZ3 = Pick<Z3Module, 'listen' | 'interrupt' | 'allocatedBytes'>;

/** Enforces limits on one evaluation from the host's main thread while Z3 works on another one. */
export class Watch {
  readonly #z3: WatchedZ3;
  readonly #context: Context;
  readonly #limits: Limits;
  readonly #observer: Observer;
  readonly #patienceMs: number;
  readonly #residentBefore = process.memoryUsage.rss();
  readonly #cpuBefore = process.cpuUsage();
  readonly #before = performance.now();
  readonly #checking: NodeJS.Timeout;
  readonly #wall: NodeJS.Timeout;
  readonly #printed: string[] = [];
  #printedLength = 0;
  #peakMemoryBytes = 0;
  #isInterrupted = false;
  #limit: LimitName | undefined;
  #interruptedAt = 0;
  #cpuMsAtInterrupt = 0;

  constructor(z3: WatchedZ3, context: Context, limits: Limits, observer: Observer, patienceMs: number) {
    this.#z3 = z3;
    this.#context = context;
    this.#limits = limits;
    this.#observer = observer;
    this.#patienceMs = patienceMs;
    z3.listen((line) => this.#print(line));
    observer.onInterrupt(() => this.#interrupt(undefined));
    this.#checking = setInterval(() => this.#check(), checkEveryMs);
    this.#wall = setTimeout(() => this.#interrupt('wall'), Math.min(limits.wallMs, longestTimeoutMs));
  }

  /** Call it after the evaluation, with the length of its answer. */
  end(answeredLength: number): WatchedMeasurements {
    const wallMs = performance.now() - this.#before;
    const cpuMs = this.#cpuMs;
    clearInterval(this.#checking);
    clearTimeout(this.#wall);
    this.#z3.listen(() => {});
    this.#observer.onInterrupt(() => {});
    // A limit may have been exceeded since the last check.
    this.#check();
    if (wallMs > this.#limits.wallMs) this.#interrupt('wall');
    if (this.#printedLength + answeredLength > this.#outputBytes) this.#interrupt('output');
    return {
      stderr: this.#printed.join('\n'),
      wallMs,
      cpuMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      isInterrupted: this.#isInterrupted,
      limit: this.#limit,
    };
  }

  get #cpuMs(): number {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return (user + system) / 1000;
  }

  get #outputBytes(): number {
    return this.#limits.outputBytes ?? defaultOutputBytes;
  }

  #print(line: string): void {
    this.#printedLength += line.length + 1;
    if (this.#printedLength <= this.#outputBytes) this.#printed.push(line);
    else this.#interrupt('output');
  }

  #check(): void {
    const allocated = this.#z3.allocatedBytes();
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, allocated);
    const { memoryBytes, cpuMs } = this.#limits;
    if (memoryBytes !== undefined) {
      const grown = process.memoryUsage.rss() - this.#residentBefore;
      if (allocated > memoryBytes || grown > memoryBytes + residentAllowance) this.#interrupt('memory');
    }
    if (cpuMs !== undefined && this.#cpuMs > cpuMs) this.#interrupt('cpu');
    if (!this.#isInterrupted) return;
    // Parts of Z3 clear the interrupt flag, so every check sets it again.
    this.#z3.interrupt(this.#context);
    const isUnresponsive =
      this.#cpuMs - this.#cpuMsAtInterrupt > this.#patienceMs ||
      performance.now() - this.#interruptedAt > wallPerCpuTime * this.#patienceMs;
    if (isUnresponsive) this.#giveUp();
  }

  #interrupt(limit: LimitName | undefined): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#limit = limit;
    this.#interruptedAt = performance.now();
    this.#cpuMsAtInterrupt = this.#cpuMs;
    this.#z3.interrupt(this.#context);
  }

  #giveUp(): void {
    clearInterval(this.#checking);
    this.#observer.unresponsive({
      cpuMs: this.#cpuMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      limit: this.#limit,
    });
  }
}
