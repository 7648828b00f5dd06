import { html, type Markup } from '../markup.js';

export function settingsTable(rows: readonly (readonly [name: string, value: string])[]): Markup {
  return html`<table class="settings"><tbody>${rows.map(
    ([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>
`,
  )}</tbody></table>`;
}
