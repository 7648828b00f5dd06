import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CodeText } from '../../src/change/hunks/code-words.js';
import { codeText as code, type Hunk, hunksOf } from '../../src/change/hunks/hunks.js';
import type { LineRange } from '../../src/change/hunks/line-range.js';
import { hunksBetween, laidOut, wordsOn } from './code-text.js';

/** `3-5`, or `|3` for an empty range before line 3. */
function lines({ from, to }: LineRange): string {
  return to < from ? `|${from}` : to === from ? `${from}` : `${from}-${to}`;
}

/** Each hunk as its lines: `3 > 3-5`. */
function shown(hunks: readonly Hunk[]): readonly string[] {
  return hunks.map((hunk) => `${lines(hunk.old)} > ${lines(hunk.new)}`);
}

function changes(old: string, next: string): readonly string[] {
  return shown(hunksOf(old, next));
}

/** Each word change as `old → new`. */
function words(old: string, next: string): readonly string[] {
  return hunksOf(old, next).flatMap((hunk) =>
    hunk.words.map(({ oldText, newText }) => `${oldText} → ${newText}`.trim()),
  );
}

function isIn(ranges: readonly LineRange[]): (line: number) => boolean {
  return (line) => ranges.some(({ from, to }) => line >= from && line <= to);
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const item of whole) if (item === part[at]) at++;
  return at === part.length;
}

const word = fc.constantFrom('a', 'b', 'c', 'f', '0', '1', '(', ')', '{', '}', ';', '=', ',', 'if', 'return');
const gap = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  '\n',
  '\n',
  '\t',
  '\n\n',
  ' // note\n',
  ' /* a\n b */ ',
  '\n  // ;\n  ',
);
const gaps = fc.array(gap, { minLength: 60, maxLength: 60 });
const anyCode = fc
  .tuple(fc.array(word, { maxLength: 60 }), gaps)
  .map(([all, between]) => laidOut(all, between));

describe('formatting', () => {
  it('changed formatting gives no hunks', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), gaps, gaps, (all, oldGaps, newGaps) => {
        expect(hunksBetween(laidOut(all, oldGaps), laidOut(all, newGaps))).toEqual([]);
      }),
    );
  });

  it('changed formatting neither hides nor extends the hunk of a changed word', () => {
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 29 }),
        fc.array(word, { maxLength: 29 }),
        gaps,
        gaps,
        (before, after, oldGaps, newGaps) => {
          const hunks = hunksBetween(
            laidOut([...before, 'slow', ...after], oldGaps),
            laidOut([...before, 'fast', ...after], newGaps),
          );
          expect(hunks.map((hunk) => hunk.words.map(({ oldText, newText }) => [oldText, newText]))).toEqual([
            [['slow', 'fast']],
          ]);
        },
      ),
    );
  });

  it.each([
    ['a statement wrapped over more lines', 'x = f(a, b, c);', 'x =\n    f(a,\n      b, c);'],
    ['braces on a line of their own', 'if (a) {\n  b();\n}', 'if (a)\n{\n  b();\n}'],
    ['another indentation', 'if (a)\n\tb();', 'if (a)\n    b();'],
    ['comments', 'a(); /* one */\nb();', '// two\na();\n\n/* three\n four */ b();'],
    ['spaces inside a directive', '#if  defined(A)\n#endif', '# if defined( A ) // yes\n#endif'],
    ['a space between closing angles', 'list<list<int> > a;', 'list<list<int>> a;'],
  ])('formatting %s gives no hunk', (_, old, next) => {
    expect(changes(old, next)).toEqual([]);
    expect(changes(next, old)).toEqual([]);
  });
});

describe('code', () => {
  it.each([
    ['a space in a string', 'f("a b");', 'f("a  b");'],
    ['a macro with parameters', '#define F(x)', '#define F (x)'],
    ['where a directive ends', '#define A b\nc;', '#define A\nb c;'],
    ['a word of a directive that becomes code', '#define A \\\n B', '#define A\nB'],
  ])('changing %s gives a hunk', (_, old, next) => {
    expect(changes(old, next)).not.toEqual([]);
  });
});

describe('hunks', () => {
  it('outside of the hunks both versions have the same words', () => {
    fc.assert(
      fc.property(anyCode, anyCode, (old, next) => {
        const hunks = hunksBetween(old, next);
        const [inOld, inNew] = [isIn(hunks.map((hunk) => hunk.old)), isIn(hunks.map((hunk) => hunk.new))];
        const all = ({ tokens }: CodeText): readonly string[] => tokens.map(({ text }) => text);
        expect(
          isSubsequence(
            wordsOn(next, (line) => !inNew(line)),
            all(old),
          ),
        ).toBe(true);
        expect(
          isSubsequence(
            wordsOn(old, (line) => !inOld(line)),
            all(next),
          ),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('hunks are in order in both versions and share no line', () => {
    fc.assert(
      fc.property(anyCode, anyCode, (old, next) => {
        let before: Hunk | undefined;
        for (const hunk of hunksBetween(old, next)) {
          for (const range of [hunk.old, hunk.new]) expect(range.to).toBeGreaterThanOrEqual(range.from - 1);
          expect(hunk.old.from).toBeGreaterThan(before?.old.to ?? 0);
          expect(hunk.new.from).toBeGreaterThan(before?.new.to ?? 0);
          before = hunk;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('hunks of files with one word per line are a shortest edit script', () => {
    const small = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 15 });
    fc.assert(
      fc.property(small, small, (old, next) => {
        // Matching a run that occurs once in both has priority over a shortest script.
        const runs = old.map((_, at) => old.slice(at, at + 4).join(' ')).filter((run) => run.length === 7);
        fc.pre(!runs.some((run) => next.join(' ').includes(run)));
        const hunks = hunksBetween(laidOut(old, []), laidOut(next, []));
        const made: string[] = [];
        let [at, size] = [1, 0];
        for (const hunk of hunks) {
          made.push(...old.slice(at - 1, hunk.old.from - 1), ...next.slice(hunk.new.from - 1, hunk.new.to));
          at = hunk.old.to + 1;
          size += hunk.old.to - hunk.old.from + 1 + hunk.new.to - hunk.new.from + 1;
        }
        expect([...made, ...old.slice(at - 1)]).toEqual(next);
        expect(size).toBe(fewestEdits(old, next));
      }),
      { numRuns: 500 },
    );
  });

  it('hunks cover exactly the lines with a changed word', () => {
    const fates = fc.constantFrom(
      'kept',
      'kept',
      'other word',
      'word more',
      'word less',
      'gone',
      'new before',
    );
    fc.assert(
      fc.property(fc.array(fates, { maxLength: 25 }), fc.boolean(), (all, isCommented) => {
        const [old, next]: [string[], string[]] = [[], []];
        const [oldChanged, newChanged]: [number[], number[]] = [[], []];
        for (const [i, fate] of all.entries()) {
          if (fate === 'new before') newChanged.push(next.push(`extra${i}(here${i});`));
          if (fate !== 'gone') next.push(made(i, fate));
          if (fate !== 'gone' && fate !== 'kept' && fate !== 'new before') newChanged.push(next.length);
          if (isCommented) next.push(`// about ${i}`);
          old.push(made(i, 'kept'));
          if (fate !== 'kept' && fate !== 'new before') oldChanged.push(old.length);
        }
        const hunks = hunksBetween(code(old.join('\n')), code(next.join('\n')));
        const marked = (ranges: readonly LineRange[], text: readonly string[]): readonly number[] =>
          text.flatMap((line, at) => (!line.startsWith('//') && isIn(ranges)(at + 1) ? [at + 1] : []));
        expect(
          marked(
            hunks.map((hunk) => hunk.old),
            old,
          ),
        ).toEqual(oldChanged);
        expect(
          marked(
            hunks.map((hunk) => hunk.new),
            next,
          ),
        ).toEqual(newChanged);
      }),
      { numRuns: 300 },
    );
  });

  it('adjacent changed lines are one hunk, and an unchanged line separates two hunks', () => {
    expect(changes('a();\nb();\nc();', 'A();\nB();\nc();')).toEqual(['1-2 > 1-2']);
    expect(changes('a();\nb();\nc();', 'A();\nb();\nC();')).toEqual(['1 > 1', '3 > 3']);
    expect(changes('a();\n// why\n\nb();', 'A();\nB();')).toEqual(['1-4 > 1-2']);
  });

  it('changes on one line of a version are one hunk if they are on several lines of the other', () => {
    expect(changes('f(a,\n  b,\n  c);', 'f(x, b, y);')).toEqual(['1-3 > 1']);
  });

  it('a hunk covers the changed lines of a wrapped statement', () => {
    expect(changes('f(a, b);\ng();', 'f(a,\n  b,\n  c);\ng();')).toEqual(['1 > 2-3']);
  });

  it('a hunk in a long macro covers only its changed line', () => {
    expect(
      changes(
        '#define F(x) \\\n  a(x); \\\n  b(x); \\\n  c(x)',
        '#define F(x) \\\n  a(x); \\\n  B(x); \\\n  c(x)',
      ),
    ).toEqual(['3 > 3']);
  });

  it('the hunk of a new or deleted file covers all of its code', () => {
    expect(changes('', '// about\nint a;\nint b;\n')).toEqual(['|1 > 2-3']);
    expect(changes('// about\nint a;\nint b;\n', '')).toEqual(['2-3 > |1']);
  });

  it('hunks in the middle of a long file have the right line numbers', () => {
    const many = (from: number) =>
      Array.from({ length: 2000 }, (_, at) => `f${from + at}(x, ${at});\n`).join('');
    const old = `${many(0)}a();\n${many(2000)}`;
    const next = `${many(0)}b();\nc();\n${many(2000)}`;
    expect(changes(old, next)).toEqual(['2001 > 2001-2002']);
    expect(changes(old, `${many(0)}${many(2000)}`)).toEqual(['2001 > |2001']);
  });
});

/** A unique line, in one of several variants. */
function made(i: number, fate: string): string {
  if (fate === 'other word') return `call${i}(one${i}, other${i});`;
  if (fate === 'word more') return `call${i}(one${i}, two${i}, three${i});`;
  if (fate === 'word less') return `call${i}(one${i});`;
  return `call${i}(one${i}, two${i});`;
}

function fewestEdits(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, item] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries())
      next.push(item === other ? (row[j] ?? 0) : 1 + Math.min(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}

describe('removed code', () => {
  it('a hunk of removed lines is between the remaining lines', () => {
    expect(changes('a();\nb();\nc();', 'a();\nc();')).toEqual(['2 > |2']);
    expect(changes('a();\nb();\nc();', 'b();\nc();')).toEqual(['1 > |1']);
    expect(changes('a();\nb();\nc();', 'a();\nb();')).toEqual(['3 > |3']);
    expect(changes('a();\nb();\nc();', 'a();\n\n// gone\nc();')).toEqual(['2 > |2']);
  });

  it('a removal from the middle of a line changes that line', () => {
    expect(changes('if (a && b)\n  c();', 'if (a)\n  c();')).toEqual(['1 > 1']);
    expect(words('if (a && b)\n  c();', 'if (a)\n  c();')).toEqual(['&& b →']);
  });

  it('a removal from the end of a line changes the line only if the rest belongs to the same statement', () => {
    expect(changes('a(); b();\nc();', 'a();\nc();')).toEqual(['1 > |2']);
    expect(changes('a();\nb(); c();', 'a();\nc();')).toEqual(['2 > |2']);
    expect(changes('A(a);\nB(b);\nc();', 'A(a);\nB(b)\nc();')).toEqual(['2 > 2']);
    expect(changes('if (a) {\n  b(); }\n', 'if (a)\n  b();\n')).toEqual(['1 > 1', '2 > |3']);
    expect(changes('f(a,\n  b, c);', 'f(a,\n  c);')).toEqual(['2 > 2']);
    expect(changes('f(a,\n  b,\n  c);', 'f(a,\n  c);')).toEqual(['2 > |2']);
  });
});

describe('an edit with several possible places', () => {
  it('an edit covers a whole function', () => {
    const f = (name: string): string => `void ${name}() {\n  x();\n}\n`;
    expect(changes(f('f') + f('h'), f('f') + f('g') + f('h'))).toEqual(['|4 > 4-6']);
    expect(changes(f('f') + f('g') + f('h'), f('f') + f('h'))).toEqual(['4-6 > |4']);
    expect(changes(f('f'), f('f') + f('g'))).toEqual(['|4 > 4-6']);
    expect(changes(f('g'), f('f') + f('g'))).toEqual(['|1 > 1-3']);
  });

  it('an edit covers a whole function with braces on their own lines', () => {
    const f = (name: string): string => `static int\n${name}(int a)\n{\n  return a;\n}\n\n`;
    expect(changes(f('f') + f('h'), f('f') + f('g') + f('h'))).toEqual(['|6 > 7-11']);
  });

  it('an edit covers a whole block if the next block begins the same way', () => {
    const block = (call: string): string => `if (p) {\n  ${call}();\n}\n`;
    expect(changes(`a();\n${block('y')}`, `a();\n${block('x')}${block('y')}`)).toEqual(['|2 > 2-4']);
  });

  it('an edit is not placed in the middle of a line of the other version', () => {
    expect(changes('a();\nx(); b();\n', 'a();\nx();\nx();\nb();\n')).toEqual(['|2 > 2']);
    expect(changes('a(); x();\nb();\n', 'a();\nx();\nx();\nb();\n')).toEqual(['|2 > 3']);
  });

  it('an edit covers a whole branch', () => {
    const old = 'if (a) {\n  x();\n} else {\n  z();\n}\n';
    const next = 'if (a) {\n  x();\n} else if (b) {\n  x();\n} else {\n  z();\n}\n';
    expect(changes(old, next)).toEqual(['|3 > 3-4']);
  });

  it('an edit covers a whole case', () => {
    const branch = (value: number): string => `  case ${value}:\n    x();\n    break;\n`;
    const all = (...values: number[]): string => `switch (a) {\n${values.map(branch).join('')}}\n`;
    expect(changes(all(1, 3), all(1, 2, 3))).toEqual(['|5 > 5-7']);
    expect(changes(all(1), all(1, 2))).toEqual(['|5 > 5-7']);
  });

  it('an edit covers a whole preprocessor condition', () => {
    const guarded = (name: string): string => `#ifdef ${name}\nx();\n#endif\n`;
    expect(changes(guarded('A'), guarded('A') + guarded('B'))).toEqual(['|4 > 4-6']);
    expect(changes(guarded('B'), guarded('A') + guarded('B'))).toEqual(['|1 > 1-3']);
  });

  it('an edit inside a line covers a whole statement', () => {
    expect(words('{ int a; int c; }', '{ int a; int b; int c; }')).toEqual(['→ int b;']);
    expect(words('{ if (a) { x(); } }', '{ if (a) { x(); } if (b) { x(); } }')).toEqual([
      '→ if (b) { x(); }',
    ]);
  });

  it('one edit is preferred to two', () => {
    expect(words('{ if (x) { f(x); } }', '{ if (!x) return 0; if (x) { f(x); } }')).toEqual([
      '→ if (!x) return 0;',
    ]);
    expect(words('{ return f(x); }', '{ if (!x) return 0; return f(x); }')).toEqual(['→ if (!x) return 0;']);
    expect(
      changes(
        'int f(int x)\n{\n  return f(x);\n}',
        'int f(int x)\n{\n  if (!x)\n    return 0;\n  return f(x);\n}',
      ),
    ).toEqual(['|3 > 3-4']);
  });

  it('an edit is the last of equal lines', () => {
    expect(changes('x();\nx();\n', 'x();\nx();\nx();\n')).toEqual(['|3 > 3']);
  });

  it('an edit is placed next to a blank line rather than inside a block', () => {
    expect(changes('a();\nx();\n\nx();\nb();', 'a();\nx();\nx();\n\nx();\nb();')).toEqual(['|3 > 3']);
  });
});

describe('matching of statements', () => {
  /** Two branches that differ in one place. */
  const branch = (more: string): string =>
    `  check(this->below(x, bound), this->above(x, bound));\n  limit((bound - x${more}) / m);\n`;
  const both = `if (p) {\n${branch('')}} else {\n  get(eps);\n${branch(' - eps')}}\n`;

  it('unchanged statements remain whole even if another match differs in as few words', () => {
    const within = (code: string): string => `lead(m);\n${code}tail(m);\n`;
    expect(changes(within(both), within(branch('')))).toEqual(['2 > |2', '5-9 > |4']);
    expect(changes(within(both + both), within(branch('') + branch('')))).toEqual([
      '2 > |2',
      '5-10 > |4',
      '13-17 > |6',
    ]);
  });

  it('statements of the same form are matched by their names', () => {
    expect(changes('a(i, n);\nb(i, n);\n', 'c(i, n);\na(i, n);\n')).toEqual(['|1 > 1', '2 > |3']);
    expect(changes('a(i, n);\nb(i, n);\n', 'c(i,\n n); a(i, n);\n')).toEqual(['|1 > 1-2', '2 > |3']);
  });
});

describe('the words of a hunk', () => {
  it('changed words have their texts and positions', () => {
    const [hunk] = hunksBetween(code('a();\n  x = f(1, y);\n'), code('a();\n  x = g(1, y + 2);\n'));
    expect(hunk?.words).toEqual([
      { oldAt: { line: 2, column: 7 }, oldText: 'f', newAt: { line: 2, column: 7 }, newText: 'g' },
      { oldAt: { line: 2, column: 13 }, oldText: '', newAt: { line: 2, column: 14 }, newText: '+ 2' },
    ]);
  });

  it('texts of changed words are cut out at their positions', () => {
    const cut = ({ text }: CodeText, line: number, column: number, length: number): string =>
      text
        .split('\n')
        .slice(line - 1)
        .join('\n')
        .slice(column - 1, column - 1 + length);
    fc.assert(
      fc.property(anyCode, anyCode, (old, next) => {
        for (const { oldAt, oldText, newAt, newText } of hunksBetween(old, next).flatMap(
          (hunk) => hunk.words,
        )) {
          expect(cut(old, oldAt.line, oldAt.column, oldText.length)).toBe(oldText);
          expect(cut(next, newAt.line, newAt.column, newText.length)).toBe(newText);
          expect(oldText).not.toBe(newText);
        }
      }),
    );
  });

  it('a hunk with lines of only one version has no words', () => {
    expect(words('a();\n', 'a();\nb();\n')).toEqual([]);
    expect(words('a();\nb();\n', 'a();\n')).toEqual([]);
  });

  it('a bracket that different lines have in common does not split a change', () => {
    expect(words('x = foo(a, b, c);', 'return bar[i].baz(q);')).toEqual([
      'x = foo(a, b, c → return bar[i].baz(q',
    ]);
  });

  it('only the changed part of a directive is named', () => {
    expect(words('#define LIMIT 100', '#define LIMIT 250')).toEqual(['100 → 250']);
  });
});
