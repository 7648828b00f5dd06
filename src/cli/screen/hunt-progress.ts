import {
  graceOf,
  type Hunt,
  type HuntCollector,
  type HuntEvent,
  type HuntReduction,
  type HuntSettings,
} from '../../hunt/index.js';
import { count, counted, ratio, roughDuration } from '../../page/index.js';
import { type Line, Progress } from './progress.js';
import { tell } from './terminal.js';

export interface HuntProgressOptions {
  /** The command that repeats the search. */
  readonly replay: string;
  /** The shared progress, if the hunt is one of several. */
  readonly progress?: Progress | undefined;
  /** Text before the progress, and after it. */
  readonly before?: string | undefined;
  readonly after?: ((leftMs: number) => string) | undefined;
}

/** Progress of a hunt: one changing line on a terminal, lines of a log elsewhere. */
export class HuntProgress {
  readonly #progress: Progress;
  #hasToldFailure = false;

  constructor(
    private readonly settings: HuntSettings,
    private readonly options: HuntProgressOptions,
  ) {
    this.#progress = options.progress ?? new Progress();
  }

  starting(): void {
    this.#say(() => ({ text: 'starting the solvers' }));
  }

  show(event: HuntEvent, hunt: Hunt, collector: HuntCollector): void {
    this.#tellFailure(hunt);
    // The campaign's clock runs on between two events.
    const startedAt = performance.now() - event.at;
    this.#say(() => this.#line(performance.now() - startedAt, hunt, collector));
  }

  /** Progress of the reductions after the hunt. */
  showReduction({ slowdown, from, size, tried, left }: HuntReduction): void {
    const waiting = left === 0 ? 'the last one' : `${counted(left, 'formula')} waiting`;
    const text = `reducing slowdown ${slowdown}: ${count(from)} -> ${count(size)} characters, ${count(tried)} tried, ${waiting}`;
    this.#say(() => ({ text }));
  }

  /** Reported once: further failures are probably the same. */
  #tellFailure({ failures }: Hunt): void {
    if (failures.first === undefined || this.#hasToldFailure) return;
    this.#hasToldFailure = true;
    tell(`${failureLine(failures.first.message)}; to see it again: ${this.options.replay}`);
  }

  end(): void {
    this.#progress.clear();
  }

  #say(line: () => Line): void {
    const { before = '' } = this.options;
    this.#progress.show(() => {
      const { text, share } = line();
      return { text: `${before}${text}`, share };
    });
  }

  #line(atMs: number, hunt: Hunt, collector: HuntCollector): Line {
    const { tried, slowdowns, unconfirmed, findings, groups, bestRatio } = collector.counts;
    const { forMs } = this.settings;
    const [favourite] = hunt.view().beliefs;
    const leftMs = Math.max(0, forMs - atMs);
    const texts = [
      leftMs > 0 ? `${roughDuration(leftMs)} left` : this.#confirmingText(atMs, unconfirmed),
      `${count(tried)} formulas (${((1000 * tried) / Math.max(1, Math.min(atMs, forMs))).toFixed(0)}/s)`,
      counted(slowdowns, 'slowdown'),
      `${counted(findings, 'finding')} of ${counted(groups, 'kind')}`,
      ...(bestRatio === 0 ? [] : [`best ${ratio(bestRatio)}`]),
      ...(favourite === undefined ? [] : [`favours ${favourite.action}`]),
    ];
    const { after } = this.options;
    return {
      text: `${texts.join('  ')}${after === undefined ? '' : after(leftMs)}`,
      share: Math.min(1, atMs / Math.max(1, forMs)),
    };
  }

  /** Not all slowdowns of one kind are confirmed. */
  #confirmingText(atMs: number, unconfirmed: number): string {
    if (this.settings.confirming === 'never') return 'until what runs has ended';
    const leftMs = this.settings.forMs + graceOf(this.settings) - atMs;
    const left = `${counted(unconfirmed, 'slowdown')} left`;
    // Running measurements are completed, which takes long on a busy machine.
    if (leftMs <= 0) return `confirming, until what runs has ended, ${left}`;
    return `confirming, at most ${Number.isFinite(leftMs) ? `${roughDuration(leftMs)}, ` : ''}${left}`;
  }
}

/** A bug in culprit, which the user should report. */
export function failureLine(message: string): string {
  return `culprit itself failed on a formula, which is left out: ${message}`;
}
