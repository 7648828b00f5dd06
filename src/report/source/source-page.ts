/** Changed code on a page, with line numbers and colours; unchanged stretches are folded. */

import { counted, html, type Markup } from '../../page/index.js';
import { type ShownLine, stretchesOf } from './changed-source.js';

/** Maximum number of lines of a function. */
const mostLines = 600;
/** A generated line may be as long as a file. */
const longestLine = 400;

export function sourceBlock(lines: readonly ShownLine[]): Markup {
  const shown = lines.slice(0, mostLines);
  const left = lines.length - shown.length;
  const parts = stretchesOf(shown).map(({ isFolded, lines: some }) =>
    isFolded
      ? html`<details><summary>${counted(some.length, 'line')} without a change</summary>${some.map(lineOf)}</details>`
      : html`${some.map(lineOf)}`,
  );
  return html`<div class="wide source"><code>${parts}</code></div>${
    left > 0
      ? html`
<p class="quiet">${counted(left, 'more line')} of this function ${left === 1 ? 'is' : 'are'} not shown.</p>`
      : undefined
  }`;
}

function lineOf(shown: ShownLine): Markup {
  const { kind, line = '', isCounted } = shown;
  const attributes = html`class="line ${kind}${isCounted ? ' counted' : ''}" data-line="${line}"`;
  const text = textOf(shown);
  switch (kind) {
    case 'removed':
      return html`<del ${attributes}>${text}
</del>`;
    case 'added':
    case 'changed':
      return html`<ins ${attributes}>${text}
</ins>`;
    default:
      return html`<span ${attributes}>${text}
</span>`;
  }
}

/** Highlights the changed words, unless they are the whole line. */
function textOf({ text, words }: ShownLine): readonly (string | Markup)[] {
  const line = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
  const parts: (string | Markup)[] = [];
  let at = 0;
  for (const [from, to] of words) {
    const [start, end] = [Math.max(from, at), Math.min(to, line.length)];
    if (start >= end || line.slice(start, end).trim() === line.trim()) continue;
    parts.push(line.slice(at, start), html`<mark>${line.slice(start, end)}</mark>`);
    at = end;
  }
  return [...parts, line.slice(at)];
}

export function sourceLegend(): Markup {
  return html`<ul class="legend source-legend"><li class="added">added</li><li class="changed">changed</li><li class="removed">removed</li><li class="used">uses what changed</li><li class="counted">counts as a changed line</li></ul>`;
}
