import type { LimitName, Limits } from '../../machine/index.js';
import type { Used } from './job.js';
import type { Context, Z3Module } from './z3-module.js';

/** Told what happens to an evaluation while it goes on. */
export interface Observer {
  /** What is measured and limited begins. */
  readonly started: () => void;
  /** Interrupted, Z3 goes on all the same. */
  readonly deaf: (used: Used) => void;
  /** Asks to be called when the evaluation is to be given up. */
  readonly onInterrupt: (interrupt: () => void) => void;
}

/** What was seen of one evaluation. */
export interface Seen {
  readonly stderr: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  /** It was interrupted, at a limit or because somebody asked. */
  readonly isCut: boolean;
  readonly limit?: LimitName | undefined;
}

/** How long Z3 may be at work until it heeds an interrupt; culprit kills the host soon after. */
const heedMs = 50;

/** A host that is killed cannot tell what it was busy with, so one that is to tell is given longer. */
export function patienceMs({ work }: { readonly work: boolean }): number {
  return work ? 5 * heedMs : heedMs;
}

/** Beside others, to be at work for so long takes many times as long on the clock. */
const clockPerWork = 20;

/** A look takes some ten microseconds. */
const lookEveryMs = 10;

/** What `setTimeout` can count to; more than that fires at once. */
export const longestTimeoutMs = 2 ** 31 - 1;

const defaultOutputBytes = 64 << 20;

/** Beyond what Z3 counts as its own: stacks, fragmentation, what the host allocates for the texts. */
const residentAllowance = 256 << 20;

/** What is asked of Z3 while it works on an evaluation. */
type WatchedZ3 = Pick<Z3Module, 'listen' | 'interrupt' | 'allocatedBytes'>;

/** Looks after one evaluation from the host's main thread, which is free while Z3 works on another. */
export class Watch {
  readonly #z3: WatchedZ3;
  readonly #context: Context;
  readonly #limits: Limits;
  readonly #observer: Observer;
  readonly #patienceMs: number;
  readonly #residentBefore = process.memoryUsage.rss();
  readonly #cpuBefore = process.cpuUsage();
  readonly #before = performance.now();
  readonly #looking: NodeJS.Timeout;
  readonly #wall: NodeJS.Timeout;
  readonly #printed: string[] = [];
  #printedLength = 0;
  #peakMemoryBytes = 0;
  #isCut = false;
  #limit: LimitName | undefined;
  #cutAt = 0;
  #cpuMsAtCut = 0;

  constructor(z3: WatchedZ3, context: Context, limits: Limits, observer: Observer, patienceMs: number) {
    this.#z3 = z3;
    this.#context = context;
    this.#limits = limits;
    this.#observer = observer;
    this.#patienceMs = patienceMs;
    z3.listen((line) => this.#print(line));
    observer.onInterrupt(() => this.#cut(undefined));
    this.#looking = setInterval(() => this.#look(), lookEveryMs);
    this.#wall = setTimeout(() => this.#cut('wall'), Math.min(limits.wallMs, longestTimeoutMs));
  }

  /** To be called when the evaluation has come to its end, with the length of what it answered. */
  end(answeredLength: number): Seen {
    const wallMs = performance.now() - this.#before;
    const cpuMs = this.#cpuMs;
    clearInterval(this.#looking);
    clearTimeout(this.#wall);
    this.#z3.listen(() => {});
    this.#observer.onInterrupt(() => {});
    // A limit passed between two looks, or in the last instant, is passed all the same.
    this.#look();
    if (wallMs > this.#limits.wallMs) this.#cut('wall');
    if (this.#printedLength + answeredLength > this.#outputBytes) this.#cut('output');
    return {
      stderr: this.#printed.join('\n'),
      wallMs,
      cpuMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      isCut: this.#isCut,
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
    else this.#cut('output');
  }

  #look(): void {
    const allocated = this.#z3.allocatedBytes();
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, allocated);
    const { memoryBytes, cpuMs } = this.#limits;
    if (memoryBytes !== undefined) {
      const grown = process.memoryUsage.rss() - this.#residentBefore;
      if (allocated > memoryBytes || grown > memoryBytes + residentAllowance) this.#cut('memory');
    }
    if (cpuMs !== undefined && this.#cpuMs > cpuMs) this.#cut('cpu');
    if (!this.#isCut) return;
    // Parts of Z3 clear the flag for themselves, so it is set again at every look.
    this.#z3.interrupt(this.#context);
    const isDeaf =
      this.#cpuMs - this.#cpuMsAtCut > this.#patienceMs ||
      performance.now() - this.#cutAt > clockPerWork * this.#patienceMs;
    if (isDeaf) this.#giveUp();
  }

  #cut(limit: LimitName | undefined): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#limit = limit;
    this.#cutAt = performance.now();
    this.#cpuMsAtCut = this.#cpuMs;
    this.#z3.interrupt(this.#context);
  }

  #giveUp(): void {
    clearInterval(this.#looking);
    this.#observer.deaf({
      cpuMs: this.#cpuMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      limit: this.#limit,
    });
  }
}
