import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, changedFiles, placeOf } from '../../src/explain/changes/change.js';
import { withReverted } from '../../src/explain/changes/reverted.js';
import { splitByPlace } from '../../src/explain/changes/split-by-place.js';
import { tokensOf } from '../../src/program/source/index.js';

function changesBetween(oldText: string | undefined, newText: string | undefined, path = 'a.txt') {
  const [file] = changedFiles([{ path, oldText, newText, oldMode: undefined }]);
  if (file === undefined) throw new Error('nothing was changed');
  return file;
}

const lines = fc
  .tuple(fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 12 }), fc.constantFrom('', 'end'))
  .map(([some, last]) => some.join('') + last);

describe('the changes between two versions of a file', () => {
  it('give the old version if all are reverted, and the new version if none is', () =>
    fc.assert(
      fc.property(lines, lines, (oldText, newText) => {
        fc.pre(oldText !== newText);
        const file = changesBetween(oldText, newText);
        expect(withReverted(file, () => false)).toBe(newText);
        expect(withReverted(file, () => true)).toBe(oldText);
      }),
    ));

  it('can be reverted one by one in any order', () =>
    fc.assert(
      fc.property(lines, lines, fc.infiniteStream(fc.boolean()), (oldText, newText, coins) => {
        fc.pre(oldText !== newText);
        const file = changesBetween(oldText, newText);
        const reverted = new Set(file.changes.filter(() => coins.next().value === true).map(({ id }) => id));
        const text = withReverted(file, (id) => reverted.has(id)) ?? '';
        for (const { id, oldLines, newLines } of file.changes)
          expect(text.replace(/\n$/, '')).toContain(
            (reverted.has(id) ? oldLines : newLines).join('').replace(/\n$/, ''),
          );
      }),
    ));

  it('are a single change for an added or removed file', () => {
    const came = changesBetween(undefined, 'int x;\nint y;\n');
    expect(came.changes).toMatchObject([{ new: { from: 1, to: 2 }, old: { from: 1, to: 0 } }]);
    expect(withReverted(came, () => true)).toBeUndefined();
    expect(withReverted(came, () => false)).toBe('int x;\nint y;\n');
    const went = changesBetween('int x;\n', undefined);
    expect(withReverted(went, () => true)).toBe('int x;\n');
    expect(withReverted(went, () => false)).toBeUndefined();
    expect(changesBetween(undefined, '').changes).toHaveLength(1);
  });

  it('of code depend only on its tokens, not on comments', () => {
    const { changes } = changesBetween(
      '/* one */\nint f(int x)\n{\n  return x;\n}\nint g;\n',
      '/* two */\nint f(int x)\n{\n  return x + 1;\n}\n\nint g;\n',
      'a.c',
    );
    expect(changes).toMatchObject([{ id: 0, old: { from: 4, to: 4 }, within: 'f' }]);
    expect(changes.map(placeOf)).toEqual(['a.c:4']);
  });

  it('of code restore the tokens of the old code for any layout', () => {
    const word = fc.constantFrom('a', 'b', 'f', '(', ')', ',', ';', '{', '}', '=', '1');
    const gap = fc.constantFrom(
      ' ',
      '\n',
      '\n  ',
      ' /* why */ ',
      ' // so\n',
      '\n\n',
      ' /* 1\n */ ',
      '/* a\n b\n */',
    );
    const part = fc.oneof({ weight: 8, arbitrary: word }, fc.constant('\n#define M(x) \\\n  x\n'));
    const code = fc
      .array(fc.tuple(part, gap), { maxLength: 40 })
      .map((parts) => `${parts.map(([one, space]) => one + space).join('')}\n`);
    const words = (text: string) => tokensOf(text).map((token) => token.text);
    fc.assert(
      fc.property(code, code, (oldText, newText) => {
        const [file] = changedFiles([{ path: 'a.c', oldText, newText, oldMode: undefined }]);
        if (file === undefined) expect(words(newText)).toEqual(words(oldText));
        else {
          expect(withReverted(file, () => false)).toBe(newText);
          expect(words(withReverted(file, () => true) ?? '')).toEqual(words(oldText));
        }
      }),
      {
        numRuns: 1000,
        examples: [
          // Swapped lines, some of them inside comments.
          [
            'a/* a\n b\n */a // so\na/* a\n b\n */a /* 1\n */ \n#define M(x) \\\n  x\n\nb \n#define M(x) \\\n  x\n \n',
            'b\n  \n#define M(x) \\\n  x\n\n  a/* a\n b\n */a /* 1\n */ a\n\n\n#define M(x) \\\n  x\n \n',
          ],
        ],
      },
    );
  });

  it('of code are the swapped lines that a reader sees', () => {
    const lines = (a: string, b: string) => `int f(int z) {\n  if (z)\n    ${a}\n  else\n    ${b}\n}\n`;
    const { changes } = changesBetween(
      lines('s += z;', 's += 0 - z;'),
      lines('s += 0 - z;', 's += z;'),
      'a.c',
    );
    expect(changes.map(placeOf)).toEqual(['a.c:3', 'a.c:5']);
  });

  it('have the numbers of the old lines if all new lines are gone', () => {
    const { changes } = changesBetween('a\nb\nc\n', 'a\nc\n');
    expect(changes.map(placeOf)).toEqual(['a.txt:1 (old 2)']);
  });

  it('are numbered across all files', () => {
    const both = changedFiles([
      { path: 'a', oldText: '1\n', newText: '2\n', oldMode: undefined },
      { path: 'b', oldText: '1\n', newText: '2\n', oldMode: undefined },
    ]);
    expect(both.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual([0, 1]);
  });
});

describe('a set of changes', () => {
  const change = (id: number, file: string, within: string): Change => ({
    ...{ id, file, within, old: { from: id, to: id }, new: { from: id, to: id }, oldLines: [], newLines: [] },
  });

  it('is split at the end of a file or function near the middle', () => {
    const some = [...'aaaab'].map((file, id) => change(id, file, 'f'));
    expect(splitByPlace(some, 2).map((part) => part.length)).toEqual([4, 1]);
    const others = [...'ffggg'].map((name, id) => change(id, 'a', name));
    expect(splitByPlace(others, 2).map((part) => part.length)).toEqual([2, 3]);
  });

  it('is split into non-empty parts that together contain all changes', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('f', 'g')), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.integer({ min: 2, max: 40 }),
        (named, count) => {
          const changes = named.map(([file, within], id) => change(id, file, within));
          const parts = splitByPlace(changes, count);
          expect(parts.flat()).toEqual(changes);
          expect(parts).toHaveLength(Math.min(count, changes.length));
          expect(parts.every(({ length }) => length > 0)).toBe(true);
        },
      ),
    ));
});
