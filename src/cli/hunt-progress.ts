import type { Hunt, HuntCollector, HuntEvent, HuntReduction, HuntSettings } from '../hunt/index.js';
import { count, counted, duration, ratio } from '../report/index.js';
import { Progress } from './progress.js';
import { isWatched, tell } from './terminal.js';

/** How often the line changes, and how often a new one is written where there is no terminal. */
const refreshMs = 200;
const plainLineMs = 10_000;

/** How far a hunt is: one line that changes on a terminal, plain lines elsewhere. */
export class HuntProgress {
  readonly #progress = new Progress();
  readonly #isTerminal = isWatched;
  #shownAt = 0;
  #hasToldFailure = false;

  constructor(
    private readonly settings: HuntSettings,
    /** The words that make the same search again. */
    private readonly replay: string,
  ) {}

  say(text: string): void {
    if (this.#isTerminal) this.#progress.show(text);
    else tell(text);
  }

  show(event: HuntEvent, hunt: Hunt, collector: HuntCollector): void {
    this.#tellFailure(hunt);
    if (!this.#isDue()) return;
    this.say(this.#line(event.at, hunt, collector));
  }

  /** What is left to do once the hunt is over. */
  showReduction({ slowdown, from, size, tried, left }: HuntReduction): void {
    if (!this.#isDue()) return;
    const waiting = left === 0 ? '' : `  ${counted(left, 'formula')} waiting`;
    this.say(
      `making slowdown ${slowdown} smaller: ${count(from)} -> ${count(size)} characters, ${count(tried)} tried${waiting}`,
    );
  }

  #isDue(): boolean {
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? refreshMs : plainLineMs)) return false;
    this.#shownAt = now;
    return true;
  }

  /** Once: the others are likely the same again. */
  #tellFailure({ failures }: Hunt): void {
    if (failures.first === undefined || this.#hasToldFailure) return;
    this.#hasToldFailure = true;
    this.#progress.clear();
    tell(`${failureLine(failures.first.message)}; to see it again: ${this.replay}`);
  }

  end(): void {
    this.#progress.clear();
  }

  #line(atMs: number, hunt: Hunt, collector: HuntCollector): string {
    const { tried, slowdowns, findings, groups, bestRatio } = collector.counts;
    const leftMs = this.settings.forMs - atMs;
    const [favourite] = hunt.view().beliefs;
    return [
      leftMs > 0 ? `${duration(atMs)}, ${duration(leftMs)} left` : `${duration(atMs)}, confirming`,
      `${count(tried)} formulas (${((1000 * tried) / Math.max(1, atMs)).toFixed(0)}/s)`,
      counted(slowdowns, 'slowdown'),
      `${counted(findings, 'finding')} of ${counted(groups, 'kind')}`,
      ...(bestRatio === 0 ? [] : [`best ${ratio(bestRatio)}`]),
      ...(favourite === undefined ? [] : [`favours ${favourite.action}`]),
    ].join('  ');
  }
}

/** A mistake of culprit's own, which is worth a report. */
export function failureLine(message: string): string {
  return `culprit itself failed on a formula, which is left out: ${message}`;
}
