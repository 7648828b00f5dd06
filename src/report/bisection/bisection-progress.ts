/** The progress of an unfinished bisection. */

import type { Standing } from '../../history/index.js';
import { type Ink, noInk, visible } from '../../machine/index.js';
import { type Column, levelText, table } from '../../page/index.js';
import { shortId } from '../../repository/index.js';
import { caseLimits } from './bisection.js';

const right = { align: 'right' as const };

/** For `--json`. */
export function bisectionProgressJson({ settings, line, looked, steps }: Standing) {
  return {
    isFinished: false as const,
    by: settings.isPrinted ? ('printed' as const) : settings.by,
    commits: line.length,
    looked: looked.length,
    steps: steps.map(({ case: id, from, to, ...step }) => ({
      case: settings.cases[id]?.name ?? String(id),
      ...step,
      beforeLevel: from,
      afterLevel: to,
    })),
  };
}

export function bisectionProgressText(
  { settings, line, looked, steps }: Standing,
  ink: Ink = noInk,
  screen?: number,
): string {
  const by = settings.isPrinted ? 'printed' : settings.by;
  const limits = caseLimits(settings);
  const columns: Column[] = [
    { title: 'case', wraps: true },
    { title: 'before', ...right },
    { title: 'after', ...right },
    { title: '', style: (became) => (became === 'slower' ? 'bad' : 'good') },
    { title: 'since', wraps: true },
    { title: 'left to test', ...right },
  ];
  const rows = steps.map((step) => [
    settings.cases[step.case]?.name ?? String(step.case),
    levelText(step.from, by, limits[step.case]),
    levelText(step.to, by, limits[step.case]),
    step.direction,
    step.candidates === 1
      ? shortId(step.at)
      : `one of ${step.candidates} after ${shortId(step.before)} up to ${shortId(step.at)}`,
    String(step.unseen),
  ]);
  const found = rows.length === 0 ? 'No case shows a difference yet.' : table(columns, rows, ink, screen);
  return visible(`${looked.length} of ${line.length} commits tested so far.\n\n${found}`);
}
