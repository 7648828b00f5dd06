/** Change complexity as a comment for a pull request. */

import type { NamedChange } from '../../change/index.js';
import { visibleLine } from '../../machine/index.js';
import { code, counted, markdownTable } from '../../page/index.js';
import { shortId } from '../../repository/index.js';
import { mostComplex } from './complexity.js';

/** Maximum number of listed changes. */
const mostShown = 20;

/** @param max the limit, if there is one */
export function complexityMarkdown(changes: readonly NamedChange[], max: number | undefined): string {
  const complex = changes.filter(({ measure }) => measure.complexity > 0);
  const above = complex.filter(({ measure }) => max !== undefined && measure.complexity > max);
  const shown = mostComplex(complex, mostShown);
  const rows = shown.map(({ of, measure }) => [
    typeof of === 'string' ? code(of) : `${code(shortId(of.id))} ${plain(of.subject)}`,
    max !== undefined && measure.complexity > max ? `**${measure.complexity}**` : String(measure.complexity),
    String(measure.lines),
    measure.functions
      .slice(0, 5)
      .map(({ name }) => code(name))
      .join(', '),
  ]);
  const left = complex.length - shown.length;
  const parts = [
    `${counted(changes.length, 'change')}, ${complex.length} of them in executed code` +
      `${max === undefined ? '' : `; ${above.length} above the limit of ${max}`}.`,
    ...(rows.length === 0
      ? []
      : [markdownTable(['change', 'complexity', 'changed lines', 'functions'], rows)]),
    ...(left > 0 ? [`And ${left} more.`] : []),
    'Complexity counts the orders in which changed code can be executed (cyclomatic change complexity).',
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Escapes a commit subject: it must not leave its cell or mention people. */
function plain(text: string): string {
  return visibleLine(text).replaceAll(/[^\w .,:;/()+=-]/gu, (letter) => `&#${letter.codePointAt(0)};`);
}
