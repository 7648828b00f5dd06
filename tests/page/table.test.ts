import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, table } from '../../src/page/index.js';
import { width } from '../../src/page/text-width.js';
import { hangingIndent, wrappedLines } from '../../src/page/wrap.js';

const columns: readonly Column[] = [
  { title: 'spec' },
  { title: 'source', isOptional: true },
  { title: 'size', align: 'right' },
  { title: 'path', wraps: true, holdsPaths: true },
];
const rows = [
  ['z3@4.8.17', 'embedded', '33 MB', '/home/user/.cache/culprit/solvers/z3-4.8.17/bin/z3'],
  ['z3@5.2.0', 'npm', '4 MB', '/home/user/.cache/culprit/solvers/z3-5.2.0/bin/z3'],
];

describe('table on a screen', () => {
  it('is unchanged if it fits, or without a screen', () => {
    const whole = table(columns, rows);
    expect(whole.split('\n')).toHaveLength(3);
    expect(table(columns, rows, undefined, 200)).toBe(whole);
  });

  it('prints a common path once', () => {
    expect(table(columns, rows, undefined, 60)).toBe(
      [
        'path in /home/user/.cache/culprit/solvers/',
        'spec       source     size  path',
        'z3@4.8.17  embedded  33 MB  z3-4.8.17/bin/z3',
        'z3@5.2.0   npm        4 MB  z3-5.2.0/bin/z3',
      ].join('\n'),
    );
  });

  it('wraps cells, after a slash if there is one', () => {
    expect(table(columns, rows, undefined, 42)).toBe(
      [
        'path in /home/user/.cache/culprit/solvers/',
        'spec       source     size  path',
        'z3@4.8.17  embedded  33 MB  z3-4.8.17/bin/',
        '                            z3',
        'z3@5.2.0   npm        4 MB  z3-5.2.0/bin/',
        '                            z3',
      ].join('\n'),
    );
  });

  it('leaves out a column if wrapping is not enough, with a note', () => {
    const narrow = table(columns, rows, undefined, 34);
    expect(narrow).not.toContain('embedded');
    expect(narrow).toMatch(/\n\nLeft out for lack of width: source; --json has all columns\.$/);
  });

  it('wraps titles of numeric columns first and aligns them at the bottom', () => {
    const numbers = ['git bisect takes', 'all it names'].map((title) => ({ title, align: 'right' as const }));
    expect(table([{ title: 'strategy' }, ...numbers], [['batch', '1.0x', '2 m 3 s']], undefined, 34)).toBe(
      [
        '          git bisect   all it',
        'strategy       takes    names',
        'batch           1.0x  2 m 3 s',
      ].join('\n'),
    );
  });

  it('colours every line of a wrapped cell by the whole cell', () => {
    const ink = (style: string, text: string): string => `<${style}>${text}</>`;
    const state: Column = { title: 's', wraps: true, style: (cell) => (cell === 'ok' ? 'good' : 'bad') };
    expect(table([state], [['it does not start at all']], ink, 14)).toBe(
      ['<title>s</>', '<bad>it does not</>', '<bad>start at all</>'].join('\n'),
    );
  });

  it('keeps every character of a wrapped cell and stays within the screen', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', '/', ' ', 'ž'), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.integer({ min: 16, max: 60 }), (cells, screen) => {
        const all: readonly Column[] = [{ title: 'x' }, { title: 'y', wraps: true }];
        const lines = table(
          all,
          cells.map((text) => ['1', text]),
          undefined,
          screen,
        ).split('\n');
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(screen);
        const letters = (text: string): string => text.replaceAll(' ', '');
        expect(letters(lines.slice(1).join('').replaceAll('1', ''))).toBe(letters(cells.join('')));
      }),
    );
  });
});

describe('wrapped text', () => {
  it('keeps its indentation', () => {
    expect(wrappedLines('  some/folder/a.smt2', 14)).toEqual(['  some/folder/', '  a.smt2']);
  });

  it('hangs below its first words', () => {
    expect(hangingIndent('  touches  ', 'src/a.cpp, src/b.cpp and 3 more', 30)).toBe(
      '  touches  src/a.cpp,\n           src/b.cpp and 3\n           more',
    );
  });

  it('breaks a word that is longer than a line', () => {
    expect(wrappedLines('abcdefgh i', 3)).toEqual(['abc', 'def', 'gh', 'i']);
  });
});
