import type { ProgramStep } from '../../change/index.js';
import { duration } from '../../page/index.js';
import type { Progress } from './progress.js';

/** In order: each step, and the unit it counts, if any. */
const steps: Readonly<Record<ProgramStep, readonly [doing: string, counts: string]>> = {
  modules: ['reading the program', 'modules'],
  pointers: ['what pointers may point to', ''],
  changes: ['the changed blocks', ''],
  dependences: ['what depends on what', 'functions'],
  calls: ['what flows through calls', 'functions'],
  slices: ['what depends on the changes', '%'],
  interactions: ['where changes can interact', ''],
};

const names = Object.keys(steps);

/** The minimum time between two updates. */
const refreshMs = 100;
/** The minimum time for an estimate. */
const leastMs = 1000;

/** Progress of the analysis of a whole program. */
export class ProgramProgress {
  #step: ProgramStep | undefined;
  #since = 0;
  #shownAt = 0;

  constructor(private readonly progress: Pick<Progress, 'show' | 'clear'>) {}

  show(step: ProgramStep, done: number, all: number): void {
    const now = performance.now();
    const isNew = step !== this.#step;
    if (isNew) {
      [this.#step, this.#since] = [step, now];
      // A new step is shown at once, because its first progress may take long.
      this.progress.clear();
    } else if (now - this.#shownAt < refreshMs) return;
    this.#shownAt = now;
    this.progress.show(programLine(step, { done, all, ms: now - this.#since }));
  }
}

interface HowFar {
  readonly done: number;
  readonly all: number;
  /** Since the start of the step. */
  readonly ms: number;
}

/** For example `step 4 of 7: dependence, 120 of 950 functions, about 3.10 s`. */
export function programLine(step: ProgramStep, { done, all, ms }: HowFar): string {
  const [doing, counts] = steps[step];
  const left = done > 0 && ms >= leastMs ? `, about ${duration((ms * (all - done)) / done)}` : '';
  const reached = counts === '%' ? `${Math.floor((100 * done) / all)} %` : `${done} of ${all} ${counts}`;
  const far = counts === '' || all === 0 ? '' : `, ${reached}${left}`;
  return `step ${names.indexOf(step) + 1} of ${names.length}: ${doing}${far}`;
}
