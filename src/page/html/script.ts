/**
 * The script of every page: it sorts and filters tables, copies commands and turns three-dimensional charts. Without
 * scripts the page shows the same data. The page's policy names the script by its digest, so that no script in a
 * formula runs.
 */

import { integrityOf } from '../../machine/index.js';
import { html, type Markup } from '../markup.js';
import { cubeScript } from './cube-script.js';

export const script: Markup = html`<script>
for (const box of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(box.textContent);
      button.textContent = 'copied';
    } catch {
      const range = document.createRange();
      range.selectNodeContents(box);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      button.textContent = document.execCommand('copy') ? 'copied' : 'selected';
    }
    setTimeout(() => { button.textContent = 'copy'; }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'copyable';
  box.replaceWith(frame);
  frame.append(box, button);
}
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows].at(-1).cells;
  for (const head of heads) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const isDown = head.getAttribute('aria-sort') === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      const value = (row) => {
        const cell = row.cells[head.cellIndex];
        return cell.dataset.value ?? cell.textContent;
      };
      const compare = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === '' || y === '') return (x === '') - (y === '') || 0;
        const [m, n] = [Number(x), Number(y)];
        const order = m === m && n === n ? m - n : x.localeCompare(y);
        return isDown ? -order : order;
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
    });
  }
}
for (const table of document.querySelectorAll('table.filterable')) {
  const rows = [...table.tBodies[0].rows];
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = table.dataset.filter ?? 'filter, such as: slower';
  input.setAttribute('aria-label', 'filter the table');
  const count = document.createElement('span');
  count.className = 'quiet';
  count.setAttribute('aria-live', 'polite');
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = words.length === 0 ? '' : ' ' + shown + ' of ' + rows.length;
  });
  const line = document.createElement('p');
  line.className = 'filter';
  line.append(input, count);
  (table.closest('.wide') ?? table).before(line);
}
${cubeScript}</script>`;

const [opening, closing] = ['<script>', '</script>'];

/** The digest by which a page's Content-Security-Policy names a script. */
export function digestOf({ text }: Markup): string {
  return integrityOf(Buffer.from(text.slice(opening.length, -closing.length)));
}
