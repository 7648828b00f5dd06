/** How far a job is, on standard error: a line that changes on a terminal, plain lines now and then elsewhere. */

import type { JobStep } from '../../machine/index.js';
import { progressBar, roughDuration, StepProgress, type StepState } from '../../page/index.js';
import { durationArgument } from '../options/arguments.js';
import { CommandFailure } from './failure.js';
import { askedPace, Pace } from './pace.js';
import { isWatched, showStatus, tell } from './terminal.js';

/** Estimates and clocks go on while a solver takes its time. */
const tickMs = 1000;

/** On a terminal, changes that come faster cannot be read. */
const refreshMs = 100;

/** All jobs of a command have one pace together; times are since it began. */
let pace: Pace | 'silent' | undefined;

function paceOfCommand(): Pace | 'silent' {
  if (pace !== undefined) return pace;
  try {
    const { isSilent, everyMs } = askedPace(process.env.CULPRIT_PROGRESS, durationArgument);
    pace = isSilent ? 'silent' : new Pace(everyMs);
  } catch {
    throw new CommandFailure(
      2,
      `CULPRIT_PROGRESS is ${process.env.CULPRIT_PROGRESS}: write how often progress is told, such as 30s, or never`,
    );
  }
  return pace;
}

export class Progress {
  readonly #pace = paceOfCommand();
  #line: (() => Line) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #followed: { readonly key: string; readonly shown: ShownStep } | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;

  /** @param indent what lines begin with where they belong to a step */
  constructor(private readonly indent = '') {}

  /** What is being done now; a function is asked whenever the line is drawn. */
  show(line: string | (() => Line)): void {
    this.#put(typeof line === 'string' ? () => ({ text: line }) : line);
  }

  /**
   * A step of which it is known how much there is to do.
   *
   * @param done what was there already
   */
  step(state: StepState, done = 0): ShownStep {
    const left = new StepProgress(state, performance.now(), done);
    let at = '';
    const line = (): Line => {
      const details = at === '' ? '' : `  ${at}`;
      return { share: left.share, text: `${left.text(performance.now())}${details}` };
    };
    // A step that begins is seen, however soon after another.
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.#put(line);
    return {
      show: (reached, what = '') => {
        left.reached(reached, performance.now());
        at = what;
        this.#put(line);
      },
    };
  }

  /** The same for a job that tells which step it is at. */
  follow({ step, done, total, what, at }: JobStep): void {
    const key = `${step}\n${total} ${what}`;
    if (this.#followed?.key !== key)
      this.#followed = { key, shown: this.step({ step, work: { total, what } }, done) };
    this.#followed.shown.show(done, at);
  }

  /** Something that was done or found, once; in a log it stays, on a terminal until the next. */
  note(text: string): void {
    if (isWatched) this.show(text);
    else {
      this.#line = () => ({ text });
      tell(`${this.indent}${text}`);
      if (this.#pace !== 'silent') this.#pace.told(performance.now());
    }
  }

  /** Takes the line away; the next one brings it back. */
  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#line = undefined;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    if (isWatched) showStatus('');
  }

  #put(line: () => Line): void {
    this.#line = line;
    if (isWatched) {
      if (performance.now() - this.#drawnAt >= refreshMs) this.#draw();
    } else this.#tellIfDue();
    // Nobody waits for it.
    this.#timer ??= setInterval(() => (isWatched ? this.#draw() : this.#tellIfDue()), tickMs).unref();
  }

  #draw(): void {
    if (this.#line === undefined) return;
    const { text, share } = this.#line();
    showStatus(share === undefined ? text : `${progressBar(share)} ${text}`);
    this.#drawnAt = performance.now();
  }

  #tellIfDue(): void {
    const now = performance.now();
    if (this.#line === undefined || this.#pace === 'silent' || !this.#pace.isDue(now)) return;
    this.#pace.told(now);
    tell(`${this.indent}${this.#line().text}; ${roughDuration(now)} so far`);
  }
}

export interface Line {
  readonly text: string;
  /** How much is done, from 0 to 1, where that is known. */
  readonly share?: number | undefined;
}

/** A step that is under way. */
export interface ShownStep {
  /**
   * @param done how many are done; a part of one counts as a part
   * @param at the one it is at
   */
  show(done: number, at?: string): void;
}

/** How much is done of several things at once, each from 0 to 1. */
export class Parts<Thing> {
  readonly #shares = new Map<Thing, number>();

  #done = 0;

  set(thing: Thing, share: number): void {
    const own = Math.min(1, share);
    this.#done += own - (this.#shares.get(thing) ?? 0);
    this.#shares.set(thing, own);
  }

  get done(): number {
    return this.#done;
  }
}
