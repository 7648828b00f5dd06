/** A table of a study's page: row headings, then numbers. */

import { html, type Markup } from '../page/index.js';

export interface NumbersRow {
  readonly heads: readonly string[];
  readonly cells: readonly string[];
  /** Printed less prominently: a published row to compare with. */
  readonly isQuiet?: boolean;
}

export function numbersTable(
  heads: readonly string[],
  titles: readonly string[],
  rows: readonly NumbersRow[],
): Markup {
  return html`<div class="wide"><table class="numbers"><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}${titles.map((title) => html`<th class="number">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr${row.isQuiet ? html` class="quiet"` : undefined}>${row.heads.map((head) => html`<td>${head}</td>`)}${row.cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}
