import type { LocalProgress } from '../history/index.js';
import { duration } from '../report/index.js';
import { short } from '../repository/index.js';
import type { Progress } from './progress.js';
import { isWatched, tell } from './terminal.js';

/** How far a bisection is, such as `3 looked at, at least 5 to go, about 12 m 0 s`. */
function bisectProgressText({ looked, remaining, leftMs }: LocalProgress): string {
  const left =
    remaining === 0 ? '' : `, ${leftMs === undefined ? 'no estimate yet' : `about ${duration(leftMs)}`}`;
  return `${looked} looked at, ${remaining === 0 ? 'none' : `at least ${remaining}`} to go${left}`;
}

/** What a log should hold of it: a line when a build begins, one when it has ended; undefined for what lies between. */
export function bisectLine(state: LocalProgress): string | undefined {
  const { news, doing } = state;
  switch (news?.kind) {
    case 'build begins':
      return `${doing}; ${bisectProgressText(state)}`;
    case 'build ended':
      if (news.failed !== undefined) return `${short(news.commit)} does not build: ${news.failed}`;
      return `${short(news.commit)} ${news.isNew ? `built in ${duration(news.ms)}` : 'was built before'}; running the cases`;
    case 'verifying':
      return doing;
    default:
      return undefined;
  }
}

/** Shows a bisection to whoever waits: the last line of a terminal, or lines where there is none. */
export class BisectWatch {
  constructor(
    private readonly progress: Progress,
    /** What lines begin with where they belong to a step. */
    private readonly indent = '',
  ) {}

  show(state: LocalProgress): void {
    if (isWatched)
      this.progress.show(`${bisectProgressText(state)}; ${state.found} steps found  ${state.doing}`);
    else this.stage(bisectLine(state));
  }

  stage(line: string | undefined): void {
    if (line === undefined) return;
    if (isWatched) this.progress.show(line);
    else tell(`${this.indent}${line}`);
  }
}
