import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../../src/program/source/read-source.js';
import type { SourceFile } from '../../../src/program/source/source-file.js';
import { overflowingDepth, rounds } from '../../rounds.js';

const words = [
  ...['if', 'else', 'while', 'do', 'for', 'switch', 'case', 'default', 'break', 'continue', 'return', 'goto'],
  ...[
    'try',
    'catch',
    'throw',
    'struct',
    'class',
    'enum',
    'namespace',
    'template',
    'operator',
    'int',
    'static',
  ],
  ...['typedef', 'auto', 'exit', 'asm', 'extern', 'using', 'new', 'and', 'not', 'x', 'f', 'FOO', '1', '"s"'],
  ...[
    "'c'",
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '>>',
    ';',
    ';',
    ',',
    ':',
    '::',
    '?',
    '&&',
    '||',
    '!',
    '=',
  ],
  ...['*', '&', '->', '.', '...', '~', '({', '})', '[]', '\n', '\n#if X\n', '\n#else\n', '\n#endif\n'],
  ...['\n#if 0\n', '\n#define A b\n', 'f () {', '\n}\n', 'int f (a) int a; {', 'noreturn', 'label:'],
];
const soups = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((all) => all.join(' '));
const files = fc.constantFrom('f.c', 'f.cc', 'f.h');

function expectSound(source: SourceFile, text: string): void {
  const count = text.split('\n').length;
  for (const { firstLine, lastLine, blocks, statements } of source.functions) {
    expect(firstLine).toBeGreaterThanOrEqual(1);
    expect(lastLine).toBeGreaterThanOrEqual(firstLine);
    expect(lastLine).toBeLessThanOrEqual(count);
    expect(blocks.length).toBeGreaterThan(0);
    for (const { lines, next } of blocks) {
      expect(new Set(next).size).toBe(next.length);
      for (const number of next) expect(blocks[number]).toBeDefined();
      const numbers = lines.map(({ line }) => line);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      for (const line of numbers) expect(line >= 1 && line <= count).toBe(true);
    }
    for (const statement of statements) {
      expect(statement.lastLine).toBeGreaterThanOrEqual(statement.firstLine);
      for (const number of statement.blocks) expect(blocks[number]).toBeDefined();
    }
  }
  for (const { firstLine, lastLine } of [...source.declarations, ...source.macros]) {
    expect(firstLine >= 1 && lastLine >= firstLine && lastLine <= count).toBe(true);
  }
  for (const { at } of source.faults) expect(at.line >= 1 && at.line <= count && at.column >= 1).toBe(true);
}

describe('readSource returns a consistent result for any text', () => {
  it('of random characters', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), files, (text, file) => {
        expectSound(readSource(text, file), text);
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('of random tokens', () => {
    fc.assert(
      fc.property(soups, files, (text, file) => expectSound(readSource(text, file), text)),
      { numRuns: rounds(3000) },
    );
  });

  it('of random tokens inside a function', () => {
    fc.assert(
      fc.property(soups, files, (soup, file) => {
        const text = `int f (int a) { ${soup} }`;
        expectSound(readSource(text, file), text);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

const many = 20_000;

/** Each of these would overflow the stack of a recursive reader, or make a reader with backtracking slow. */
describe('readSource reads very long repetitions in time', () => {
  it.each<[string, string]>([
    ['unclosed parentheses', 'int f () { x = '.concat('('.repeat(overflowingDepth))],
    [
      'nested parentheses',
      `int f () { x = ${'('.repeat(overflowingDepth)}1${')'.repeat(overflowingDepth)}; }`,
    ],
    ['unclosed braces', `int f () ${'{'.repeat(overflowingDepth)}`],
    ['nested braces', `int f () ${'{'.repeat(overflowingDepth)}${'}'.repeat(overflowingDepth)}`],
    [
      'braces closed in the first column',
      `int f () ${'{\n'.repeat(overflowingDepth)}${'}\n'.repeat(overflowingDepth)}}`,
    ],
    ['unmatched closing braces', '}\n'.repeat(overflowingDepth)],
    [
      'mismatched square brackets',
      `int f () { x${'['.repeat(overflowingDepth)}${')'.repeat(overflowingDepth)}; }`,
    ],
    ['namespaces', 'namespace a { '.repeat(many)],
    ['classes', 'class a { '.repeat(many)],
    ['nested ifs', `int f () { ${'if (a) '.repeat(overflowingDepth)} b; }`],
    ['else ifs', `int f () { if (a) b; ${'else if (a) b; '.repeat(many)} }`],
    ['labels', `int f () { ${Array.from({ length: many }, (_, i) => `l${i}: `).join('')}; }`],
    ['cases', `int f () { switch (a) { ${'case 1: '.repeat(many)}; } }`],
    ['cases without colons', `int f () { switch (a) { ${'case 1 '.repeat(many)} } }`],
    ['long conjunctions', `int f () { return a ${'&& a '.repeat(many)}; }`],
    ['chained conditional expressions', `int f () { return ${'a ? b : '.repeat(many)} c; }`],
    [
      'nested conditional expressions',
      `int f () { return ${'a ? '.repeat(many)} c ${': d '.repeat(many)}; }`,
    ],
    ['negations', `int f () { return ${'!'.repeat(many)} a; }`],
    ['throws', `int f () { ${'throw '.repeat(many)}; }`],
    ['lambdas', `int f () { ${'[] { return '.repeat(many)} }`],
    ['lambdas without a body', `int f () { ${'x = [] '.repeat(many)} }`],
    ['statement expressions', `int f () { ${'({ '.repeat(many)} }`],
    ['template brackets', `int f () { ${'a < '.repeat(many)} b; }`],
    ['closing template brackets', `int f () { a ${'> ('.repeat(many)}; }`],
    ['template brackets in a header', `${'a < '.repeat(many)} f () { }`],
    ['qualified names', `int ${'a::'.repeat(many)}f () { }`],
    ['nested do loops', `int f () { ${'do '.repeat(many)} }`],
    ['nested try blocks', `int f () { ${'try { '.repeat(many)} }`],
    ['macros with a block', `int f () { ${'FOR (x) { '.repeat(many)} }`],
    ['macros without semicolons', `int f () { ${'LOCK (x)\n'.repeat(many)} }`],
    ['K&R parameters', `f (a) ${'int a; '.repeat(many)} { }`],
    ['members with braces', `A::A () : ${'a {1}, '.repeat(many)} b (1) { }`],
    ['variables with braces', `int ${'a {1}, '.repeat(many)} b;`],
    ['declarators', `int f () { int ${'a = 1, '.repeat(many)} b; }`],
    ['branches', `#if X\n${'#elif Y\na;\n'.repeat(many)}#endif\n`],
    ['open branches', '#if X\na (\n'.repeat(many)],
    ['nested branches', `${'#if X\na (\n#else\nb\n'.repeat(many)}${'#endif\n'.repeat(many)}`],
    ['unterminated raw strings', Array.from({ length: many }, (_, i) => `R"x${i}(`).join(' ')],
    ['line continuations', `int ${'\\\n'.repeat(many)} x;`],
    ['backslashes', '\\ '.repeat(many)],
    ['directives', '#define A(x) B (x)\n'.repeat(many)],
    ['quotes', "'".repeat(many)],
  ])('%s', (_, text) => {
    for (const file of ['f.c', 'f.cc']) {
      const { functions } = readSource(text, file);
      // One assertion for all: there are millions of blocks.
      const isSound = functions.every(({ blocks }) =>
        blocks.every(({ next }) => next.every((number) => number >= 0 && number < blocks.length)),
      );
      expect(isSound).toBe(true);
    }
  });
});

describe('code nested too deep', () => {
  it('is reported and read without its branches', () => {
    const text = `int f () { ${'if (a) {\n'.repeat(300)} g (); ${'}'.repeat(300)} h (); }`;
    const { functions, faults } = readSource(text, 'f.c');
    expect(faults.map(({ message }) => message)).toEqual([
      'code is nested too deeply: it is read without its branches',
    ]);
    expect(functions[0]?.blocks.flatMap(({ calls }) => calls)).toEqual(['g', 'h']);
  });

  it('excludes long chains of else if', () => {
    const text = `int f () { if (a) b (); ${'else if (a) b (); '.repeat(3000)} return a ${'&& a'.repeat(3000)}; }`;
    const { functions, faults } = readSource(text, 'f.c');
    expect(faults).toEqual([]);
    expect(functions[0]?.blocks.filter(({ calls }) => calls.includes('b'))).toHaveLength(3001);
  });
});

describe('a missing token is reported once', () => {
  it.each<[string, string[]]>([
    ['int f () { g (1; }', ['1 unclosed (']],
    ['int f () {\n g ();', ['1 unclosed {']],
    ['int x;\n}\n', ['2 unmatched }']],
    ['char *s = "abc;\n', ['1 unterminated string constant']],
    ['/* abc', ['1 unterminated comment']],
    ["#if 0\ndon't\n#endif\nint x;", []],
  ])('%j', (text, faults) => {
    expect(readSource(text, 'f.c').faults.map(({ at, message }) => `${at.line} ${message}`)).toEqual(faults);
  });
});
