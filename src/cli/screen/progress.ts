/** Progress of a job on standard error: a changing line on a terminal, occasional lines of a log elsewhere. */

import type { JobStep } from '../../machine/index.js';
import { progressBar, roughDuration, StepProgress, type StepState } from '../../page/index.js';
import { durationArgument } from '../options/arguments.js';
import { CommandFailure } from './failure.js';
import { askedPace, Pace } from './pace.js';
import { isWatched, showStatus, tell } from './terminal.js';

/** Updates estimates and clocks while a solver runs. */
const tickMs = 1000;

/** A terminal line that changes faster cannot be read. */
const refreshMs = 100;

/** All jobs of a command share one pace, measured from its start. */
let pace: Pace | 'silent' | undefined;

function paceOfCommand(): Pace | 'silent' {
  if (pace !== undefined) return pace;
  try {
    const { isSilent, everyMs } = askedPace(process.env.CULPRIT_PROGRESS, durationArgument);
    pace = isSilent ? 'silent' : new Pace(everyMs);
  } catch {
    throw new CommandFailure(
      2,
      `CULPRIT_PROGRESS is ${process.env.CULPRIT_PROGRESS}: set it to an interval such as 30s, or to never`,
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

  /** @param indent prefix of lines that belong to a step */
  constructor(private readonly indent = '') {}

  /** Shows the current activity. A function is called for each redraw. */
  show(line: string | (() => Line)): void {
    this.#put(typeof line === 'string' ? () => ({ text: line }) : line);
  }

  /**
   * A step with a known amount of work.
   *
   * @param done work completed before the step began
   */
  step(state: StepState, done = 0): ShownStep {
    const left = new StepProgress(state, performance.now(), done);
    let at = '';
    const line = (): Line => {
      const details = at === '' ? '' : `  ${at}`;
      return { share: left.share, text: `${left.text(performance.now())}${details}` };
    };
    // A new step is shown at once.
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

  /** Shows the step that a job reports. */
  follow({ step, done, total, what, at }: JobStep): void {
    const key = `${step}\n${total} ${what}`;
    if (this.#followed?.key !== key)
      this.#followed = { key, shown: this.step({ step, work: { total, what } }, done) };
    this.#followed.shown.show(done, at);
  }

  /** Reports an event: a log keeps the line, a terminal shows it until the next one. */
  note(text: string): void {
    if (isWatched) this.show(text);
    else {
      this.#line = () => ({ text });
      tell(`${this.indent}${text}`);
      if (this.#pace !== 'silent') this.#pace.told(performance.now());
    }
  }

  /** Removes the line until the next update. */
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
    // The timer does not keep the process alive.
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
  /** The completed share, from 0 to 1, if known. */
  readonly share?: number | undefined;
}

/** A running step. */
export interface ShownStep {
  /**
   * @param done the completed amount; fractions are allowed
   * @param at the current item
   */
  show(done: number, at?: string): void;
}

/** Adds up the completed shares of several items, each from 0 to 1. */
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
