/** A formula on a page, its parts coloured: letter for letter what it is. */

import { html, type Markup } from '../../page/index.js';

/** A part of a formula and the class of its colour; what matches none is plain. */
const parts: readonly (readonly [pattern: string, name: string])[] = [
  [';[^\\n]*', 'comment'],
  ['"(?:[^"]|"")*"?', 'string'],
  ['\\|[^|]*\\|?', 'plain'],
  [
    '(?<=\\()(?:assert|check-sat|check-sat-assuming|declare-[a-z-]+|define-[a-z-]+|set-[a-z-]+|get-[a-z-]+|push|pop|exit|echo|reset(?:-assertions)?)(?=[\\s()]|$)',
    'command',
  ],
  ['(?<=[\\s(])(?:#x[0-9a-fA-F]+|#b[01]+|\\d+(?:\\.\\d+)?)(?=[\\s()]|$)', 'number'],
  ['(?<=\\()[^\\s()";|]+', 'operator'],
];

/** Longer ones are shown as they are: a browser would be slow on a hundred thousand parts. */
const mostLetters = 100_000;

const tokens = new RegExp(parts.map(([pattern]) => `(${pattern})`).join('|'), 'g');

export function formulaBlock(text: string): Markup {
  // A comment must not end between the two letters of a line end: alone, the first would be shown as a hidden one.
  const lines = text.replaceAll('\r\n', '\n');
  return html`<pre class="formula">${lines.length > mostLetters ? lines : coloured(lines)}</pre>`;
}

function coloured(text: string): readonly (string | Markup)[] {
  const shown: (string | Markup)[] = [];
  let at = 0;
  for (const match of text.matchAll(tokens)) {
    const [part] = match;
    const [, name = 'plain'] = parts[match.slice(1).findIndex((group) => group !== undefined)] ?? [];
    shown.push(text.slice(at, match.index));
    shown.push(name === 'plain' ? part : html`<span class="${name}">${part}</span>`);
    at = match.index + part.length;
  }
  return [...shown, text.slice(at)];
}
