import { describe, expect, it } from 'vitest';
import { changedSource, type ShownLine, stretchesOf } from '../../src/report/source/changed-source.js';
import { sourceBlock } from '../../src/report/source/source-page.js';
import { type Files, measuredChange } from './made-changes.js';

/** Each line with its kind: `+` added, `~` changed, `-` removed, `u` uses changed code; `!` if it counts. */
async function shown(old: Files, next: Files, file = 'a.c'): Promise<readonly string[]> {
  return (await linesOf(old, next, file)).map(
    ({ kind, line, text, isCounted, words }) =>
      `${signs[kind]}${isCounted ? '!' : ''}${line ?? ''}|${marked(text, words)}`,
  );
}

const signs = { same: ' ', added: '+', changed: '~', removed: '-', used: 'u' } as const;

function marked(text: string, words: ShownLine['words']): string {
  let [all, at] = ['', 0];
  for (const [from, to] of words) {
    all += `${text.slice(at, from)}[${text.slice(from, to)}]`;
    at = to;
  }
  return all + text.slice(at);
}

async function linesOf(old: Files, next: Files, file: string): Promise<readonly ShownLine[]> {
  const { functions, texts, edits } = await measuredChange(old, next);
  return functions
    .filter((fn) => fn.file === file)
    .flatMap((fn) => changedSource(fn, texts.get(file) ?? '', edits.get(file)));
}

describe('changed source', () => {
  it('shows added, changed and removed lines, and the changed words', async () => {
    const old = 'int f (int a)\n{\n  int b = a;\n  g (b);\n  return a + b;\n}\n';
    const next = 'int f (int a)\n{\n  int b = a;\n  if (b)\n    h ();\n  return a - b;\n}\n';
    expect(await shown({ 'a.c': old }, { 'a.c': next })).toEqual([
      ' 1|int f (int a)',
      ' 2|{',
      ' 3|  int b = a;',
      expect.stringMatching(/^-\|/),
      expect.stringMatching(/^-\|/),
      expect.stringMatching(/^~!4\|/),
      expect.stringMatching(/^~!5\|/),
      '~!6|  return a [-] b;',
      ' 7|}',
    ]);
  });

  it('shows removed lines at their old place and counts the line there', async () => {
    const old = 'int f (int a)\n{\n  g ();\n  h ();\n  return a;\n}\n';
    const next = 'int f (int a)\n{\n  g ();\n  return a;\n}\n';
    expect(await shown({ 'a.c': old }, { 'a.c': next })).toEqual([
      ' 1|int f (int a)',
      ' 2|{',
      ' 3|  g ();',
      '-|  h ();',
      ' !4|  return a;',
      ' 5|}',
    ]);
  });

  it('ignores new indentation and comments', async () => {
    const old = 'int f (int a)\n{\n  g ();\n  return a;\n}\n';
    const next = 'int f (int a)\n{\n      g (); /* why */\n  return a + 1;\n}\n';
    expect((await shown({ 'a.c': old }, { 'a.c': next })).filter((line) => !line.startsWith(' '))).toEqual(
      ['-|  return a;', '~!4|  return a[ + 1];'].map((line) => expect.stringContaining(line.slice(0, 5))),
    );
  });

  it('marks uses of a changed macro in files that did not change', async () => {
    const user = 'int f (int a)\n{\n  a++;\n  return a + LEN;\n}\n';
    const old = { 'a.h': '#define LEN 3\n', 'a.c': user };
    expect(await shown(old, { ...old, 'a.h': '#define LEN 4\n' })).toEqual([
      ' 1|int f (int a)',
      ' 2|{',
      ' 3|  a++;',
      'u!4|  return a + LEN;',
      ' 5|}',
    ]);
  });

  it('folds lines far from every change', async () => {
    const calls = Array.from({ length: 40 }, (_, at) => `  g (${at});\n`).join('');
    const text = (last: string): string => `int f (int a)\n{\n${calls}  return ${last};\n}\n`;
    const lines = await linesOf({ 'a.c': text('a') }, { 'a.c': text('a + 1') }, 'a.c');
    expect(stretchesOf(lines).map(({ isFolded, lines: some }) => [isFolded, some.length])).toEqual([
      [false, 1],
      [true, lines.length - 1 - 6],
      [false, 6],
    ]);
    const { text: page } = sourceBlock(lines);
    expect(page).toContain(`<summary>${lines.length - 7} lines without a change</summary>`);
  });

  it('is escaped and limited in length', async () => {
    const text = (n: number): string =>
      `int f (int a)\n{\n  g ("</code><script>alert (1)</script>", ${n});\n  return a;\n}\n`;
    const { text: page } = sourceBlock(await linesOf({ 'a.c': text(1) }, { 'a.c': text(2) }, 'a.c'));
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;/code&gt;&lt;script&gt;');
    expect(page).toMatch(/<ins class="line changed counted" data-line="3">.*<mark>2<\/mark>/);
    expect(page).toMatch(/<del class="line removed" data-line="">.*<mark>1<\/mark>/);
    const many = Array.from({ length: 2000 }, (_, at) => `  g (${at});\n`).join('');
    const added = { 'a.c': `int f (int a)\n{\n${many}  return 1;\n}\n` };
    const { text: long } = sourceBlock(await linesOf({ 'a.c': '' }, added, 'a.c'));
    expect(long.match(/class="line/g)).toHaveLength(600);
    expect(long).toContain('1404 more lines of this function are not shown');
  });
});
