/** How far a step of a job is, in words: what is left of it, and how long that takes as far as what was done tells. */

import { counted } from './quantities.js';

/** A step of a job, as the words for it are made from. */
export interface StepState {
  /** Such as `measuring`. */
  readonly step: string;
  /** How many there are to do, and what one of them is called; undefined where nobody knows. */
  readonly work?: { readonly total: number; readonly what: string } | undefined;
}

/** Estimates from what was done in this step alone: what lies before it went at another pace. */
export class LeftWork {
  readonly #before: number;
  #done: number;
  #reachedAt: number;

  /**
   * @param startedAt milliseconds of any clock, which the other times are of as well
   * @param done what was there already, as of a job that is resumed: it says nothing about how long the rest takes
   */
  constructor(
    private readonly state: StepState,
    private readonly startedAt: number,
    done = 0,
  ) {
    this.#before = done;
    this.#done = done;
    this.#reachedAt = startedAt;
  }

  /** @param done how many are done; a part of one counts as a part */
  reached(done: number, at: number): void {
    if (done <= this.#done) return;
    this.#done = done;
    this.#reachedAt = at;
  }

  /** From 0 to 1; undefined where nobody knows. */
  get share(): number | undefined {
    const { work } = this.state;
    return work === undefined ? undefined : Math.min(1, this.#done / Math.max(1, work.total));
  }

  /** What is left takes about so long; undefined as long as nothing tells. */
  leftMs(at: number): number | undefined {
    const { work } = this.state;
    const own = this.#done - this.#before;
    if (work === undefined || own <= 0) return undefined;
    const each = (this.#reachedAt - this.startedAt) / own;
    const left = Math.max(0, work.total - this.#done);
    // What is under way may take long: the others after it do not get fewer meanwhile.
    return Math.max(each * left - (at - this.#reachedAt), each * Math.max(0, left - 1));
  }

  /** Such as `measuring: 12 of 50 formulas, about 1 m 20 s left`. */
  text(at: number): string {
    const { step, work } = this.state;
    if (work === undefined) return step;
    const done = `${step}: ${Math.floor(this.#done + 1e-9)} of ${counted(work.total, work.what)}`;
    if (this.#done >= work.total) return done;
    const leftMs = this.leftMs(at);
    return `${done}, ${leftMs === undefined ? 'no estimate yet' : `about ${roughly(leftMs)} left`}`;
  }
}

/** A time that is only estimated, or still goes on: seconds are enough. */
export function roughly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} m`;
}

/** Such as `[████████░░░░░░░░]`. */
export function barText(share: number, width = 16): string {
  const full = Math.round(width * Math.min(1, Math.max(0, share)));
  return `[${'█'.repeat(full)}${'░'.repeat(width - full)}]`;
}
