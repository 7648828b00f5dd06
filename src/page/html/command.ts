/** A block of commands on a page. */

import { html, type Markup } from '../markup.js';

/** A browser would break a line within `--timeout`, after a hyphen, so each word is a box of its own. */
export function commandBlock(...commands: readonly string[]): Markup {
  const words = commands.join('\n').split(/(?<=\s)|(?=\s)/);
  return html`<pre class="command">${words.map((word) => (/\s/.test(word) ? word : html`<span>${word}</span>`))}</pre>`;
}
