/** A formula on a page with syntax colours. */

import { html, type Markup } from '../../page/index.js';

/** A token and its CSS class; `plain` has none. */
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

/** Longer formulas have no colours: a browser is slow with that many elements. */
const mostLetters = 100_000;

const tokens = new RegExp(parts.map(([pattern]) => `(${pattern})`).join('|'), 'g');

export function formulaBlock(text: string): Markup {
  // A comment must not end between CR and LF: a single CR would be shown as a hidden character.
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
