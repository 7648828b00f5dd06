/** Commands to paste, as a page shows them. */

import { html, type Markup } from '../markup.js';

/** A browser would end a line within `--timeout`, behind a hyphen: each word is a box that only ends at its own end. */
export function commandBlock(...commands: readonly string[]): Markup {
  const words = commands.join('\n').split(/(?<=\s)|(?=\s)/);
  return html`<pre class="command">${words.map((word) => (/\s/.test(word) ? word : html`<span>${word}</span>`))}</pre>`;
}
