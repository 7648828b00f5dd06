import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeText as code, type Hunk, hunksOf } from '../../src/change/hunks/hunks.js';
import { fewestMovedLines, fewestMovedWords } from '../../src/change/hunks/moved-code.js';
import { hunksOfFiles } from './code-text.js';

/** A unique function of six lines. */
function f(name: string, middle = `  total += ${name}_step(i);`): string {
  return [
    `int ${name}(int n) {`,
    `  int total = ${name}_start;`,
    '  for (int i = 0; i < n; i++)',
    middle,
    '  return total;',
    '}',
    '',
  ].join('\n');
}

/** Hunks in the form `4-6 > |4 moved`. */
function shown(hunks: readonly Hunk[]): readonly string[] {
  const lines = ({ from, to }: Hunk['old']): string => (to < from ? `|${from}` : `${from}-${to}`);
  return hunks.map((hunk) => `${lines(hunk.old)} > ${lines(hunk.new)}${hunk.isMoved ? ' moved' : ''}`);
}

function changes(old: string, next: string): readonly string[] {
  return shown(hunksOf(old, next));
}

function changesOfAll(...files: readonly (readonly [old: string, next: string])[]) {
  return hunksOfFiles(files.map(([old, next]) => ({ old: code(old), new: code(next) }))).map(shown);
}

describe('moved code', () => {
  it('code that moved within a file is marked in both places', () => {
    expect(changes(f('a') + f('b') + f('c') + f('d'), f('b') + f('c') + f('a') + f('d'))).toEqual([
      '1-6 > |1 moved',
      '|19 > 13-18 moved',
    ]);
  });

  it('code that moved from one file to another is marked in both', () => {
    expect(changesOfAll([f('a') + f('b'), f('a')], ['x();\n', `x();\n${f('b')}`])).toEqual([
      ['7-12 > |7 moved'],
      ['|2 > 2-7 moved'],
    ]);
  });

  it('moved code may have other indentation, line breaks and comments', () => {
    const inside = `class A {\n${f('b')
      .split('\n')
      .map((line) => `    ${line} // of A`)
      .join('\n')
      .replace('= 0;', '=\n 0;')}\n};\n`;
    expect(changesOfAll([f('a') + f('b'), f('a')], ['class A {\n};\n', inside])).toEqual([
      ['7-12 > |7 moved'],
      ['|2 > 2-8 moved'],
    ]);
  });

  it('code that replaced moved code is a change', () => {
    expect(changesOfAll([f('a') + f('b'), `${f('a')}int b(int n);\n`], ['', f('b')])).toEqual([
      ['7-12 > |7 moved', '|13 > 7-7'],
      ['|1 > 1-6 moved'],
    ]);
  });

  it('a function that replaced moved code is a whole hunk with its brackets', () => {
    const other = [
      'int other(int n) {',
      '  int total = b_start;',
      '  while (n > total)',
      '    n = next(n);',
      '  return n;',
      '}',
      '',
    ].join('\n');
    expect(changesOfAll([f('a') + f('b') + f('c'), f('a') + other + f('c')], ['', f('b')])).toEqual([
      ['7-12 > |7 moved', '|13 > 7-12'],
      ['|1 > 1-6 moved'],
    ]);
  });

  it('moved code is separated from adjacent changes', () => {
    expect(changesOfAll([f('a') + f('b'), f('a')], ['', `int first;\n${f('b')}int last;\n`])).toEqual([
      ['7-12 > |7 moved'],
      ['|1 > 1-1', '|1 > 2-7 moved', '|1 > 8-8'],
    ]);
  });

  it('a line that code was moved out of is unchanged', () => {
    expect(changesOfAll([`a();\n${f('b')}z();\n`, 'a(); z();\n'], ['', f('b')])).toEqual([
      ['2-7 > |2 moved'],
      ['|1 > 1-6 moved'],
    ]);
  });

  it('moved code separates changes that would otherwise be one hunk', () => {
    expect(changesOfAll([`x();\n${f('b')}y();\nz();\n`, 'w(); z();\n'], ['', f('b')])).toEqual([
      ['1-1 > 1-1', '2-7 > |2 moved', '8-8 > |2'],
      ['|1 > 1-6 moved'],
    ]);
  });

  it('lines edited in moved code are changes', () => {
    const edited = f('b', '  total -= b_step(i);');
    expect(changesOfAll([f('a') + f('b'), f('a')], ['', edited])).toEqual([
      ['7-9 > |7 moved', '10-10 > |7', '11-12 > |7 moved'],
      ['|1 > 1-3 moved', '|1 > 4-4', '|1 > 5-6 moved'],
    ]);
  });

  it('code that was added twice and removed once moved once', () => {
    expect(changesOfAll([f('a'), ''], ['', f('a')], ['', f('a')])).toEqual([
      ['1-6 > |1 moved'],
      ['|1 > 1-6 moved'],
      ['|1 > 1-6'],
    ]);
  });

  it('copied code did not move', () => {
    expect(changesOfAll([f('a'), f('a')], ['', f('a')])).toEqual([[], ['|1 > 1-6']]);
  });

  it('edited code with an unedited copy elsewhere did not move', () => {
    const edited = f('a', '  total += a_step();').replace('a_start', 'a_begin');
    expect(changesOfAll([f('a'), edited], ['', f('a')])).toEqual([['2-2 > 2-2', '4-4 > 4-4'], ['|1 > 1-6']]);
  });

  it(`is at least ${fewestMovedWords} words on ${fewestMovedLines} lines`, () => {
    const row = (words: number): string =>
      `${Array.from({ length: words }, (_, at) => `w${at}`).join(' ')}\n`;
    const moves = (block: string): boolean =>
      hunksOfFiles([
        { old: code(`a\n${block}`), new: code('a\n') },
        { old: code('b\n'), new: code(`b\n${block}`) },
      ]).every((hunks) => hunks.every(({ isMoved }) => isMoved));
    const half = fewestMovedWords / 2;
    expect(moves(row(half) + row(half))).toBe(true);
    expect(moves(row(half) + row(half - 1))).toBe(false);
    expect(moves(row(2 * fewestMovedWords))).toBe(false);
  });

  it('moved code has the same words in both places, and the other hunks still fit', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const order = fc.shuffledSubarray(names);
    const both = fc.record({
      first: order,
      second: order,
      edited: fc.constantFrom(...names),
      isEdited: fc.boolean(),
    });
    fc.assert(
      fc.property(both, both, (old, next) => {
        const texts = [old, next].map(({ first, second, edited, isEdited }) =>
          [first, second].map((all) =>
            code(all.map((name) => f(name, name === edited && isEdited ? '  total--;' : undefined)).join('')),
          ),
        );
        const pairs = [0, 1].map((at) => ({
          old: texts[0]?.[at] ?? code(''),
          new: texts[1]?.[at] ?? code(''),
        }));
        const hunks = hunksOfFiles(pairs);
        const on = (side: 'old' | 'new', isMeant: (hunk: Hunk | undefined) => boolean): readonly string[] =>
          pairs.flatMap((pair, at) =>
            pair[side].tokens
              .filter(({ line }) =>
                isMeant(hunks[at]?.find((hunk) => line >= hunk[side].from && line <= hunk[side].to)),
              )
              .map(({ text }) => text),
          );
        const isMoved = (hunk: Hunk | undefined): boolean => hunk?.isMoved === true;
        expect([...on('new', isMoved)].sort()).toEqual([...on('old', isMoved)].sort());
        const isKept = (hunk: Hunk | undefined): boolean => hunk === undefined;
        expect(on('new', isKept)).toEqual(on('old', isKept));
      }),
      { numRuns: 300 },
    );
  });
});
