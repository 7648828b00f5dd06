/**
 * Draws docs/pictures/hunt.svg: a hunt as a terminal shows it. `node scripts/pictures.mjs` runs the hunt with the built
 * program; `-- ARGUMENTS` runs another command. `--from FILE` draws the stored output of an earlier run, colours
 * included. `--to FILE` writes another file.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usualCommand = ['hunt', '--for', '20s', '--seed', '7'];
const columns = 116;
const [characterWidth, lineHeight, padding] = [7.8, 18, 16];

const colours = {
  31: ['#b3261e', '#ff7b72'],
  32: ['#1a7f37', '#56d364'],
  33: ['#8a5a00', '#e3b341'],
};

/** Runs the command in an empty folder with an empty cache, so that no kind is known from an earlier hunt. */
function outputOf(command) {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-picture-'));
  try {
    const { stdout, status, error } = spawnSync(
      process.execPath,
      [resolve('dist/bin/main.cjs'), ...command],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, FORCE_COLOR: '1', CULPRIT_CACHE: join(folder, 'cache') },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    if (status !== 0) throw error ?? new Error(`culprit ${command.join(' ')} exited with ${status}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The characters of a line, each with its style (such as `1;31`); other escape sequences and control characters go. */
function charactersOf(line) {
  const [plain, ...styled] = line.split('\u001b[');
  let style = '';
  const characters = [];
  const add = (text) => {
    for (const character of text) if (!/\p{Cc}/u.test(character)) characters.push({ character, style });
  };
  add(plain);
  for (const part of styled) {
    const [sequence = ''] = /^[^@-~]*[@-~]/.exec(part) ?? [];
    if (sequence.endsWith('m')) style = sequence.slice(0, -1);
    add(part.slice(sequence.length));
  }
  return characters;
}

/** Lines as a terminal of limited width breaks them. */
function rowsOf(text) {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const characters = charactersOf(line);
      const count = Math.max(1, Math.ceil(characters.length / columns));
      return Array.from({ length: count }, (_, at) => characters.slice(at * columns, (at + 1) * columns));
    });
}

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const classesOf = (style) =>
  style
    .split(';')
    .filter((code) => code === '1' || code in colours)
    .map((code) => `s${code}`);

function spansOf(row) {
  const spans = [];
  for (const { character, style } of row) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += character;
    else spans.push({ style, text: character });
  }
  return spans.map(({ style, text }) => {
    const classes = classesOf(style).join(' ');
    return classes === '' ? escaped(text) : `<tspan class="${classes}">${escaped(text)}</tspan>`;
  });
}

function textOf(row, at) {
  const indent = row.findIndex(({ character }) => character !== ' ');
  if (indent === -1) return [];
  const shown = row.slice(indent);
  const place = `x="${padding + indent * characterWidth}" y="${padding + (at + 1) * lineHeight - 5}"`;
  return [
    `<text ${place} textLength="${(shown.length * characterWidth).toFixed(1)}">${spansOf(shown).join('')}</text>`,
  ];
}

function svgOf(command, output) {
  const prompt = `$ npx culprit ${command.join(' ')}`;
  const rows = rowsOf(`\u001b[1m${prompt}\u001b[0m\n\n${output}`);
  const width = Math.ceil(2 * padding + columns * characterWidth);
  const height = 2 * padding + rows.length * lineHeight;
  const rules = (shade) =>
    Object.entries(colours)
      .map(([code, shades]) => `.s${code}{fill:${shades[shade]}}`)
      .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(prompt)}</title>
<style>
rect{fill:#f6f8fa;stroke:#d0d7de}
text{fill:#1f2328;font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}
.s1{font-weight:bold}${rules(0)}
@media (prefers-color-scheme:dark){rect{fill:#0d1117;stroke:#30363d}text{fill:#e6edf3}${rules(1)}}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.flatMap(textOf).join('\n')}
</svg>
`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, to: { type: 'string', default: 'docs/pictures/hunt.svg' } },
});
const command = positionals.length > 0 ? positionals : usualCommand;
const output = values.from === undefined ? outputOf(command) : readFileSync(values.from, 'utf8');
writeFileSync(values.to, svgOf(command, output));
