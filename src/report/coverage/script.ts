/** The script of a heat map page: it opens a file, line or folder by the page's address. */

import { html, type Markup } from '../../page/index.js';

export const heatScript: Markup = html`<script>
const place = document.getElementById('lines');
const isCompared = place.dataset.runs === '2';
const most = Math.log(Number(place.dataset.most) + 1);
const packs = new Map(Array.from(document.querySelectorAll('script.packed'), (pack) => [pack.dataset.name, pack]));
const folders = new Set(Array.from(document.querySelectorAll('tr[data-folder]'), (row) => row.dataset.folder));
const linesOfABlock = 500;
const mostAtOnce = 5000;
let opened;
let latestRequest = 0;

const element = (name, kind, text) => {
  const created = document.createElement(name);
  if (kind) created.className = kind;
  if (text !== undefined) created.textContent = text;
  return created;
};
const addressOf = (name, line) => '#' + encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('%3A', ':') + (line ? ':' + line : '');
const short = (count) => {
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]])
    if (count >= size) return (count / size).toPrecision(3) + unit;
  return String(count);
};
/** The CSS class of a line: its count, or the run with the higher count. */
const heat = (before, after) => {
  if (!isCompared) return before > 0 ? 'h' + Math.max(1, Math.ceil((9 * Math.log(before + 1)) / most)) : '';
  const [a, b] = [Math.max(before, 0), Math.max(after, 0)];
  if (a === b) return '';
  const ratio = Math.max(a, b) / Math.min(a, b);
  return (a > b ? 'a' : 'b') + (ratio === Infinity ? 4 : ratio < 2 ? 1 : ratio < 10 ? 2 : 3);
};
const sums = (distances) => {
  let last = 0;
  return distances.map((distance) => (distance === 0 ? 0 : (last += distance)));
};

async function unpacked(pack) {
  const bytes = Uint8Array.from(atob(pack.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

function rowsOf({ first, second, text, before, after }) {
  const [a, b] = [sums(first), second && sums(second)];
  const texts = text?.split('\\n');
  return before.map((count, at) => ({
    numbers: b ? [a[at], b[at]] : [a[at]],
    line: b ? (b[at] || 'A' + a[at]) : a[at],
    text: texts?.[at] ?? '',
    counts: after ? [count, after[at]] : [count],
    heat: heat(count, after?.[at]),
  }));
}

function lineOf(row, name) {
  const line = element('div', 'line ' + row.heat);
  for (const number of row.numbers) {
    const link = element('a', '', number || '');
    if (number) link.href = addressOf(name, row.line);
    line.append(link);
  }
  for (const count of row.counts) {
    const shown = element('span', '', count < 0 ? '' : short(count));
    if (count >= 1000) shown.title = count.toLocaleString('en');
    line.append(shown);
  }
  line.append(row.text);
  return line;
}

/** Blocks of a long file are rendered once they scroll into view. */
function blocksOf(rows, name) {
  const blocks = [];
  for (let from = 0; from < rows.length; from += linesOfABlock) {
    const part = rows.slice(from, from + linesOfABlock);
    const block = element('div', 'block');
    block.style.minHeight = part.length * 1.5 + 'em';
    block.fill = () => {
      if (!block.firstChild) block.append(...part.map((row) => lineOf(row, name)));
    };
    blocks.push(block);
  }
  if (rows.length <= mostAtOnce) for (const block of blocks) block.fill();
  else {
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) target.fill();
    }, { rootMargin: '1000px' });
    for (const block of blocks) seen.observe(block);
  }
  return blocks;
}

/** Targets of the next and previous buttons: stretches of differences, or the most executed lines. */
function marksOf(rows) {
  if (isCompared) return rows.flatMap((row, at) => (row.heat && row.heat[0] !== rows[at - 1]?.heat[0] ? [at] : []));
  return rows.map((_, at) => at).filter((at) => rows[at].counts[0] > 0)
    .sort((x, y) => rows[y].counts[0] - rows[x].counts[0]).slice(0, 20);
}

async function open(name) {
  const request = ++latestRequest;
  let file;
  try {
    file = await unpacked(packs.get(name));
  } catch {
    place.replaceChildren(element('p', 'bad', 'This browser cannot unpack the lines. Open the page in a newer browser.'));
    return false;
  }
  if (request !== latestRequest) return false;
  const rows = rowsOf(file);
  const blocks = blocksOf(rows, name);
  const marks = marksOf(rows);
  const box = element('div', 'wide heat');
  const inner = element('div', 'inner');
  inner.append(...blocks);
  box.append(inner);
  const bar = element('p', 'filter');
  let mark = -1;
  const step = (words, by) => {
    const button = element('button', 'step', words);
    button.type = 'button';
    button.addEventListener('click', () => {
      mark = (mark + by + marks.length) % marks.length;
      location.replace(addressOf(name, rows[marks[mark]].line));
    });
    return button;
  };
  if (marks.length > 0)
    bar.append(...(isCompared
      ? [step('next difference', 1), step('previous', -1)]
      : [step('next ' + (place.dataset.step ?? 'most executed line'), 1), step('previous', -1)]));
  place.replaceChildren(element('h2', '', name), ...(file.note ? [element('p', 'quiet', file.note)] : []), bar, box);
  opened = { name, rows, blocks };
  return true;
}

function goTo(line) {
  for (const before of place.querySelectorAll('.here')) before.classList.remove('here');
  if (line === undefined) return place.scrollIntoView();
  const at = opened.rows.findIndex((row) => String(row.line) === line);
  if (at < 0) return place.scrollIntoView();
  const block = opened.blocks[Math.floor(at / linesOfABlock)];
  block.fill();
  const found = block.children[at % linesOfABlock];
  found.classList.add('here');
  found.scrollIntoView({ block: 'center' });
}

async function show() {
  let wanted = '';
  try {
    wanted = decodeURIComponent(location.hash.slice(1));
  } catch {}
  const [, name = wanted, line] = packs.has(wanted) ? [] : (/^(.*):(A?[0-9]+)$/.exec(wanted) ?? []);
  if (packs.has(name)) {
    if (opened?.name === name || (await open(name))) goTo(line);
    return;
  }
  if (!folders.has(wanted)) return;
  const files = document.getElementById('files');
  const input = files.querySelector('.filter input');
  input.value = wanted;
  input.dispatchEvent(new Event('input'));
  files.scrollIntoView();
}

addEventListener('hashchange', show);
addEventListener('beforeprint', () => {
  for (const block of opened?.blocks ?? []) block.fill();
});
show();
</script>`;
