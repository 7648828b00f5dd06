import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedLines, hangingLine } from '../../src/page/fold.js';
import { type Column, table } from '../../src/page/index.js';
import { width } from '../../src/page/text-width.js';

const columns: readonly Column[] = [
  { title: 'spec' },
  { title: 'source', mayGo: true },
  { title: 'size', align: 'right' },
  { title: 'path', folds: true, holdsPaths: true },
];
const rows = [
  ['z3@4.8.17', 'embedded', '33 MB', '/home/user/.cache/culprit/solvers/z3-4.8.17/bin/z3'],
  ['z3@5.2.0', 'npm', '4 MB', '/home/user/.cache/culprit/solvers/z3-5.2.0/bin/z3'],
];

describe('a table on a screen', () => {
  it('is as it is where it fits, and where nobody watches', () => {
    const whole = table(columns, rows);
    expect(whole.split('\n')).toHaveLength(3);
    expect(table(columns, rows, undefined, 200)).toBe(whole);
  });

  it('says a common path once', () => {
    expect(table(columns, rows, undefined, 60)).toBe(
      [
        'path in /home/user/.cache/culprit/solvers/',
        'spec       source     size  path',
        'z3@4.8.17  embedded  33 MB  z3-4.8.17/bin/z3',
        'z3@5.2.0   npm        4 MB  z3-5.2.0/bin/z3',
      ].join('\n'),
    );
  });

  it('folds what still does not fit, after a slash where there is one', () => {
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

  it('leaves out a column where nothing else helps, and says so', () => {
    const narrow = table(columns, rows, undefined, 34);
    expect(narrow).not.toContain('embedded');
    expect(narrow).toMatch(/\n\nThere was no room for source here; --json has everything\.$/);
  });

  it('folds titles of numbers first, their last words above the numbers', () => {
    const numbers = ['git bisect takes', 'all it names'].map((title) => ({ title, align: 'right' as const }));
    expect(table([{ title: 'strategy' }, ...numbers], [['batch', '1.0x', '2 m 3 s']], undefined, 34)).toBe(
      [
        '          git bisect   all it',
        'strategy       takes    names',
        'batch           1.0x  2 m 3 s',
      ].join('\n'),
    );
  });

  it('colours every line of a folded cell by what the whole of it says', () => {
    const ink = (style: string, text: string): string => `<${style}>${text}</>`;
    const state: Column = { title: 's', folds: true, style: (cell) => (cell === 'ok' ? 'good' : 'bad') };
    expect(table([state], [['it does not start at all']], ink, 14)).toBe(
      ['<title>s</>', '<bad>it does not</>', '<bad>start at all</>'].join('\n'),
    );
  });

  it('never loses a character of a cell that folds, and stays within the screen', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', '/', ' ', 'ž'), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.integer({ min: 16, max: 60 }), (cells, screen) => {
        const all: readonly Column[] = [{ title: 'x' }, { title: 'y', folds: true }];
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

describe('a text in lines', () => {
  it('keeps how far it is moved in', () => {
    expect(foldedLines('  some/folder/a.smt2', 14)).toEqual(['  some/folder/', '  a.smt2']);
  });

  it('hangs below its first words', () => {
    expect(hangingLine('  touches  ', 'src/a.cpp, src/b.cpp and 3 more', 30)).toBe(
      '  touches  src/a.cpp,\n           src/b.cpp and 3\n           more',
    );
  });

  it('breaks a word that is too long for any line', () => {
    expect(foldedLines('abcdefgh i', 3)).toEqual(['abc', 'def', 'gh', 'i']);
  });
});
