/** Progress of a step: the amount of work left and an estimate of its time. */

import { counted } from './quantities.js';

export interface StepState {
  /** Such as `measuring`. */
  readonly step: string;
  /** The number of items and the word for one; undefined if unknown. */
  readonly work?: { readonly total: number; readonly what: string } | undefined;
}

/** Estimates from this step alone, since other steps have another speed. */
export class StepProgress {
  readonly #before: number;
  #done: number;
  #reachedAt: number;

  /**
   * @param startedAt milliseconds of any clock; all times are from this clock
   * @param done items that were done before, as in a resumed job; they do not count in the estimate
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

  /** @param done number of finished items; may be a fraction */
  reached(done: number, at: number): void {
    if (done <= this.#done) return;
    this.#done = done;
    this.#reachedAt = at;
  }

  /** From 0 to 1; undefined if unknown. */
  get share(): number | undefined {
    const { work } = this.state;
    return work === undefined ? undefined : Math.min(1, this.#done / Math.max(1, work.total));
  }

  /** Estimated time left; undefined before the first item is done. */
  leftMs(at: number): number | undefined {
    const { work } = this.state;
    const own = this.#done - this.#before;
    if (work === undefined || own <= 0) return undefined;
    const each = (this.#reachedAt - this.startedAt) / own;
    const left = Math.max(0, work.total - this.#done);
    // A long current item does not reduce the estimate for the items after it.
    return Math.max(each * left - (at - this.#reachedAt), each * Math.max(0, left - 1));
  }

  /** Such as `measuring: 12 of 50 formulas, about 1 m 20 s left`. */
  text(at: number): string {
    const { step, work } = this.state;
    if (work === undefined) return step;
    const done = `${step}: ${Math.floor(this.#done + 1e-9)} of ${counted(work.total, work.what)}`;
    if (this.#done >= work.total) return done;
    const leftMs = this.leftMs(at);
    return `${done}, ${leftMs === undefined ? 'no estimate yet' : `about ${roughDuration(leftMs)} left`}`;
  }
}

/** A duration in seconds or coarser, for estimates. */
export function roughDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} m`;
}

/** Such as `[████████░░░░░░░░]`. */
export function progressBar(share: number, width = 16): string {
  const full = Math.round(width * Math.min(1, Math.max(0, share)));
  return `[${'█'.repeat(full)}${'░'.repeat(width - full)}]`;
}
