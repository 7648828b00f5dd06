import { describe, expect, it } from 'vitest';
import { type FilePair, readPairs } from '../../src/change/code/read-pairs.js';
import { type ChangeMeasure, measureChange } from '../../src/change/sequences/measure-change.js';
import { runWithoutYielding } from '../../src/machine/index.js';
import { readSource, type SourceFile } from '../../src/program/source/index.js';

function measureFiles(files: readonly FilePair[], users?: readonly SourceFile[]): ChangeMeasure {
  return runWithoutYielding(measureChange({ files: runWithoutYielding(readPairs(files)), users }));
}

function measured(oldText: string, newText: string, file = 'a.c'): ChangeMeasure {
  return measureFiles([{ path: file, oldText, newText }]);
}

const sign = (last: string): string => `
intmax_t parse (char const *valuestring)
{
  intmax_t value = 0;
  int sign = (*valuestring == '-' ? -1 : 1);
  if (sign < 0)
    valuestring++;
  do {
    if (ISDIGIT (*valuestring))
      value = 10 * value + sign * (*valuestring - '0');
  } while (++valuestring);
  ${last}
}
`;

const report = (added: string): string => `
void consider (FTSENT *ent)
{
  if (ent->fts_info == FTS_D)
    {
      visit (ent);
    }
${added}
  finish (ent);
}
`;

const loop = `  else if (ent->fts_info == FTS_NS) {
    if (ent->fts_level == 0){
      reportSymlinkLoop();
    } else {
      if (symlink_loop(ent->fts_accpath)){
        reportSymlinkLoop();
      }
    }
  }`;

describe('measureChange', () => {
  it('the complexity of one changed statement is one (Fig. 5.1)', () => {
    const { complexity, lines, functions } = measured(sign('return value * sign;'), sign('return value;'));
    expect({ complexity, lines }).toEqual({ complexity: 1, lines: 1 });
    expect(functions.map(({ name }) => name)).toEqual(['parse']);
  });

  it('the complexity of three added conditions is four (Fig. 5.2)', () => {
    const { complexity, lines } = measured(report(''), report(loop));
    expect({ complexity, lines }).toEqual({ complexity: 4, lines: 5 });
  });

  it('the complexity of two statements in any order is five (Fig. 5.3, right)', () => {
    const text = (a: string, b: string): string => `
void run (void)
{
  while (more ())
    {
      if (odd ())
        {
          ${a};
          if (done ())
            break;
        }
      ${b};
    }
}
`;
    expect(measured(text('f (1)', 'g (1)'), text('f (2)', 'g (2)')).complexity).toBe(5);
  });

  it('changed comments, white space and line breaks have no complexity', () => {
    const { complexity, lines, functions } = measured(
      sign('return value;'),
      sign('/* why */ return\n     value ;  // so').replaceAll('  ', '\t'),
    );
    expect({ complexity, lines, functions }).toEqual({ complexity: 0, lines: 0, functions: [] });
  });

  it('a deleted statement counts at the gap it left', () => {
    const text = (middle: string): string => `int f (int a)\n{\n  a++;\n${middle}  return a;\n}\n`;
    expect(measured(text('  if (a > 3)\n    a = 3;\n'), text(''))).toMatchObject({ complexity: 1, lines: 1 });
    expect(measured(text('  int unused;\n'), text(''))).toMatchObject({ complexity: 0, lines: 0 });
  });

  it('a statement over several lines counts as a whole if its last line changed', () => {
    const text = (last: string): string =>
      `void f (int a)\n{\n  g (a,\n     1,\n     ${last});\n  h ();\n}\n`;
    expect(measured(text('2'), text('3'))).toMatchObject({ complexity: 1, lines: 1 });
  });

  it('a changed macro counts at its uses, also through other macros', () => {
    const text = (limit: string): string =>
      `#define LIMIT ${limit}\n#define ABOVE(x) ((x) > LIMIT)\nint f (int a)\n{\n  if (ABOVE (a))\n    return 1;\n  return 0;\n}\nint g (int a) { return a; }\n`;
    const { complexity, functions } = measured(text('3'), text('4'));
    expect(functions.map(({ name }) => name)).toEqual(['f']);
    expect(complexity).toBe(1);
  });

  it('a variable with a changed declaration counts at its uses', () => {
    const text = (type: string): string =>
      `int f (int n)\n{\n  ${type} i;\n  int sum = 0;\n  for (i = 0; i < n; i++)\n    sum += n;\n  return sum;\n}\n`;
    const { complexity, functions } = measured(text('size_t'), text('uintmax_t'));
    expect(functions).toMatchObject([{ name: 'f', lines: 1 }]);
    expect(complexity).toBeGreaterThan(0);
  });

  it('a function that only moved does not count', () => {
    const long = `int f (int a)\n{\n  int sum = 0;\n  for (int i = 0; i < a; i++)\n    sum += i * a + sum / (i + 1);\n  return sum;\n}\n`;
    const other = 'int g (int a)\n{\n  return a;\n}\n';
    expect(measured(long + other, other + long)).toMatchObject({ complexity: 0, lines: 0 });
  });

  it('sequences continue through calls between changed functions', () => {
    const text = (n: number): string =>
      `static void f (void)\n{\n  a (${n});\n}\nint main (void)\n{\n  b (${n});\n  f ();\n  if (c ())\n    d (${n});\n  return 0;\n}\n`;
    // The first block of main holds b and the call of f. The second one holds d in both cases or not.
    const { complexity, graph } = measured(text(1), text(2));
    expect(graph.blocks).toHaveLength(3);
    expect(complexity).toBe(2);
  });

  it('a new file counts completely, and a deleted file does not count', () => {
    expect(measured('', sign('return value;')).complexity).toBeGreaterThan(3);
    expect(measured(sign('return value;'), '')).toMatchObject({ complexity: 0, lines: 0 });
  });
});

/** A function with these lines. */
const body = (...lines: readonly string[]): string =>
  `int f (int c, int x)\n{\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;

describe('changed statements', () => {
  it('a statement that lost a whole line changed', () => {
    expect(measured(body('g (x,', '   c,', '   1);'), body('g (x,', '   1);'))).toMatchObject({
      complexity: 1,
      lines: 1,
    });
    expect(
      measured(body('if (x', '    && c)', '  g ();'), body('if (x)', '  g ();')).complexity,
    ).toBeGreaterThan(0);
  });

  it('changed control flow counts: else, case, default, and braces around more statements', () => {
    const both = (between: string) =>
      body('if (c)', '  g ();', ...between.split('\n'), '  h ();', 'return x;');
    expect(measured(both('int u;'), both('else'))).toMatchObject({ complexity: 1, lines: 1 });
    expect(measured(both('else'), both('int u;'))).toMatchObject({ complexity: 1, lines: 1 });
    const chosen = (label: string) => body('switch (c)', '{', label, '  g ();', '}', 'return x;');
    expect(measured(chosen('case 1:'), chosen('case 2:'))).toMatchObject({ complexity: 1, lines: 1 });
    const two = (open: string, close: string) => body(`if (c)`, open, 'g ();', 'h ();', close, 'return x;');
    expect(measured(two('', ''), two('{', '}')).complexity).toBe(1);
  });

  it('braces around a single statement and repeated declarations do not count', () => {
    const braced = (open: string, close: string) => body('if (c)', open, 'g ();', close, 'return x;');
    expect(measured(braced('', ''), braced('{', '}'))).toMatchObject({ complexity: 0, lines: 0 });
    expect(measured(braced('{', '}'), braced('{', '}\n  int u;'))).toMatchObject({ complexity: 0, lines: 0 });
  });

  it('a removal at the end of a block counts at that block, not at the next one', () => {
    const text = (last: string) => body('while (c)', '{', 'g ();', last, '}', 'h ();', 'return x;');
    const { complexity, functions, graph } = measured(text('i ();'), text(''));
    expect({ complexity, lines: functions[0]?.lines }).toEqual({ complexity: 2, lines: 1 });
    expect(graph.edges).toHaveLength(3);
    const branch = (last: string) => body('if (c)', '{', 'g ();', last, '}', 'else', 'h ();', 'return x;');
    expect(measured(branch('i ();'), branch('')).functions[0]?.at).toEqual([5]);
    expect(measured(body('g ();'), body(''))).toMatchObject({ complexity: 1, lines: 1 });
  });

  it('a changed declaration counts for its own variable, not for others in the same statement', () => {
    const text = (declared: string) => body(`${declared};`, 'i = 1;', 'j = 2;', 'return i + j;');
    expect(measured(text('int i, j'), text('int i, j, k'))).toMatchObject({ complexity: 0, lines: 0 });
    expect(measured(text('int i, j'), text('int i; long j')).functions[0]?.at).toEqual([5, 6]);
    expect(measured(text('int i, j'), text('long i, j')).functions[0]?.at).toEqual([4, 5, 6]);
    const table = (letter: string) =>
      body(`static struct o t[] = {{"x", NULL, '${letter}'}};`, 'x = NULL;', 'return look (t);');
    expect(measured(table('h'), table('i')).functions[0]?.at).toEqual([5]);
  });
});

describe('changed macros', () => {
  const use = 'int f (int a)\n{\n  return a + LEN;\n}\n';
  const named = (
    files: Readonly<Record<string, readonly [string, string]>>,
    users: Record<string, string> = {},
  ) =>
    measureFiles(
      Object.entries(files).map(([path, [oldText, newText]]) => ({ path, oldText, newText })),
      Object.entries(users).map(([path, text]) => readSource(text, path)),
    ).functions.map(({ file }) => file);

  it('a macro of a header counts in all files that do not redefine the name', () => {
    const header = { 'a.h': ['#define LEN 1\n', '#define LEN 2\n'] } as const;
    expect(named(header, { 'b.c': use, 'c.c': `#define LEN 9\n${use}` })).toEqual(['b.c']);
  });

  it('a macro of a source file counts only in that file', () => {
    const file = { 'a.c': [`#define LEN 1\n${use}`, `#define LEN 2\n${use}`] } as const;
    expect(named(file, { 'b.c': use })).toEqual(['a.c']);
  });

  it('a macro counts through unchanged macros of headers', () => {
    const header = { 'a.h': ['#define SIZE 1\n', '#define SIZE 2\n'] } as const;
    expect(named(header, { 'b.h': '#define LEN (SIZE + 1)\n', 'c.c': use })).toEqual(['c.c']);
  });
});
