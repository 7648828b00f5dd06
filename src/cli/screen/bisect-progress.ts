import type { LocalProgress } from '../../history/index.js';
import type { JobStep } from '../../machine/index.js';
import { counted, duration } from '../../page/index.js';
import { shortId } from '../../repository/index.js';
import type { Progress } from './progress.js';
import { isWatched } from './terminal.js';

/** For example `3 looked at, at least 5 to go, about 12 m 0 s`. */
function bisectProgressText({ looked, remaining, leftMs }: LocalProgress): string {
  const left =
    remaining === 0 ? '' : `, ${leftMs === undefined ? 'no estimate yet' : `about ${duration(leftMs)}`}`;
  return `${looked} looked at, ${remaining === 0 ? 'none' : `at least ${remaining}`} to go${left}`;
}

/** The line for a log at the start and the end of a build. Undefined in between. */
export function bisectLine(state: LocalProgress): string | undefined {
  const { news, doing } = state;
  switch (news?.kind) {
    case 'build begins':
      return `${doing}; ${bisectProgressText(state)}`;
    case 'build ended':
      if (news.failed !== undefined) return `${shortId(news.commit)} does not build: ${news.failed}`;
      return `${shortId(news.commit)} ${news.isNew ? `built in ${duration(news.ms)}` : 'was built before'}; running the cases`;
    case 'verifying':
      return doing;
    default:
      return undefined;
  }
}

/** Shows the progress of a bisection: in the last line of a terminal, or as lines of a log. */
export class BisectWatch {
  constructor(private readonly progress: Progress) {}

  show(state: LocalProgress): void {
    if (!isWatched) this.stage(bisectLine(state));
    const { looked, remaining, found, doing } = state;
    const text = `${bisectProgressText(state)}; ${counted(found, 'step')} found  ${doing}`;
    this.progress.show(() => ({ text, share: looked / Math.max(1, looked + remaining) }));
  }

  stage(line: string | undefined): void {
    if (line !== undefined) this.progress.note(line);
  }

  step(step: JobStep): void {
    this.progress.follow(step);
  }
}
