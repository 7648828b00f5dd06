/** Jobs that are measured over doubling sizes: sources and IR of shapes that once took superlinear time. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileCompiler, measureFolders } from '../src/change/index.js';
import { Fault } from '../src/machine/index.js';
import { flowOf, readModule } from '../src/program/ir/index.js';
import { readSource } from '../src/program/source/index.js';

export interface GrowthJob {
  readonly name: string;
  /** The largest size. Half, a quarter and an eighth of it are measured first. */
  readonly most: number;
  /** Builds the input. The function it returns is measured. */
  readonly prepare: (size: number) => () => unknown;
}

const repeated = (size: number, part: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => part(at)).join('');

/** The new version calls another function. Numbers that only shift would match one line further. */
const called = (by: number): string => (by === 0 ? 'g' : 'k');

interface Shape {
  readonly name: string;
  /** The largest size as a source. */
  readonly most: number;
  /** The largest size with a compiler, which fails on deep nesting and is slow on the rest. */
  readonly mostCompiled?: number;
  /** @param by distinguishes the new version */
  readonly text: (size: number, by: number) => string;
}

/** Each shape is parsed, and its change is measured without and with the compiler. */
const shapes: readonly Shape[] = [
  {
    name: 'else if',
    most: 20_000,
    mostCompiled: 1_000,
    text: (size, by) =>
      `void f(int a) {\n${repeated(size, (at) => `if (a == ${at}) ${called(by)}(${at});\nelse `)} h();\n}\n`,
  },
  {
    name: 'else if in a loop',
    most: 10_000,
    mostCompiled: 1_000,
    text: (size, by) =>
      `void f(int a) {\nwhile (a--) {\n${repeated(size, (at) => `if (a == ${at})\n ${called(by)}(${at});\nelse `)} h();\n}\n}\n`,
  },
  {
    name: 'if after if',
    most: 10_000,
    mostCompiled: 4_000,
    text: (size, by) =>
      `void f(int a) {\n${repeated(size, (at) => `if (a == ${at})\n ${called(by)}(${at});\n`)}}\n`,
  },
  {
    name: 'calls through pointers',
    most: 10_000,
    mostCompiled: 2_000,
    text: (size, by) =>
      `${repeated(size, (at) => `void f${at}(int a) {\n ${called(by)}(a);\n}\nvoid g${at}(void (*p)(int)) {\n p(${at + by});\n}\n`)}void (*all[])(int) = {\n${repeated(size, (at) => `f${at},\n`)}};\n`,
  },
  {
    name: 'nested blocks',
    most: 20_000,
    text: (size, by) => `void f(void) {${'{'.repeat(size)}\ng(${by});\n${'}'.repeat(size)}}\n`,
  },
  {
    name: 'nested ifs',
    most: 10_000,
    text: (size, by) =>
      `void f(int a) {${repeated(size, (at) => `if (a > ${at + by}) {\n`)}g();${'}'.repeat(size)}}\n`,
  },
  {
    name: 'nested parentheses',
    most: 20_000,
    text: (size, by) => `int f(int a) {\nreturn ${'('.repeat(size)}a + ${by}${')'.repeat(size)};\n}\n`,
  },
  {
    name: 'cases',
    most: 10_000,
    mostCompiled: 8_000,
    text: (size, by) =>
      `void f(int a) {\nswitch (a) {\n${repeated(size, (at) => `case ${at}: ${called(by)}(${at});\n`)}}\n}\n`,
  },
  {
    name: 'statements',
    most: 40_000,
    mostCompiled: 8_000,
    text: (size, by) =>
      `void f(int a) {\n${repeated(size, (at) => `a ${by === 0 ? '+' : '-'}= ${at};\n`)}}\n`,
  },
  {
    name: 'one line',
    most: 40_000,
    mostCompiled: 8_000,
    text: (size, by) => `void f(int a) {${repeated(size, (at) => `a ${by === 0 ? '+' : '-'}= ${at};`)}}\n`,
  },
  {
    name: 'functions',
    most: 10_000,
    mostCompiled: 4_000,
    text: (size, by) =>
      repeated(size, (at) => `int f${at}(int a) {\n return a ${by === 0 ? '+' : '-'} ${at};\n}\n`),
  },
  {
    name: 'functions that call the next',
    most: 10_000,
    mostCompiled: 4_000,
    text: (size, by) =>
      `int f0(int a) {\n return a + ${by};\n}\n${repeated(size, (at) => `int f${at + 1}(int a) {\n a ${by === 0 ? '+' : '-'}= ${at};\n return f${at}(a);\n}\n`)}`,
  },
  {
    name: 'macros of macros',
    most: 20_000,
    text: (size, by) =>
      `${repeated(size, (at) => `#define M${at} (M${at + 1} + ${at === size - 1 ? by : 1})\n`)}int f(void) {\n return M0;\n}\n`,
  },
  {
    name: 'gone statements',
    most: 20_000,
    text: (size, by) =>
      `void f(int a) {\n${repeated(size, (at) => `${by === 0 ? 'g(1);\n' : ''}a += ${at};\n`)}}\n`,
  },
];

const sources = shapes.map(
  ({ name, most, text }): GrowthJob => ({
    name: `source: ${name}`,
    most,
    prepare: (size) => {
      const made = text(size, 0);
      return () => readSource(made, 'a.c');
    },
  }),
);

let around: string | undefined;

/** Removed when the benchmark ends. */
function allFolders(): string {
  if (around !== undefined) return around;
  const made = mkdtempSync(join(tmpdir(), 'growth-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  around = made;
  return made;
}

/** One folder for each version. */
function folders(text: Shape['text'], size: number): readonly [string, string] {
  const root = mkdtempSync(join(allFolders(), 'size-'));
  const made = (name: string, by: number): string => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'a.c'), text(size, by));
    return join(root, name);
  };
  return [made('old', 0), made('new', 1)];
}

async function measureBoth([old, next]: readonly [string, string], compiler?: FileCompiler): Promise<void> {
  const change = await measureFolders(old, next, { compiler });
  if (change instanceof Fault) throw new Error(change.message);
}

const changes = shapes.map(
  ({ name, most, text }): GrowthJob => ({
    name: `change: ${name}`,
    most,
    prepare: (size) => {
      const both = folders(text, size);
      return () => measureBoth(both);
    },
  }),
);

const compiledChanges = (compiler: FileCompiler): readonly GrowthJob[] =>
  shapes.flatMap(({ name, mostCompiled: most, text }) =>
    most === undefined
      ? []
      : {
          name: `change with clang: ${name}`,
          most,
          prepare: (size: number) => {
            const both = folders(text, size);
            return () => measureBoth(both, compiler);
          },
        },
  );

/** A job that reads a module and the control flow of its functions. */
const ir = (name: string, most: number, text: (size: number) => string): GrowthJob => ({
  name: `ir: ${name}`,
  most,
  prepare: (size) => {
    const made = text(size);
    return () => {
      const module = readModule(made);
      return [...module.functions.values()]
        .filter(({ body }) => body !== undefined)
        .map((fn) => flowOf(module, fn, '/'));
    };
  },
});

const irs: readonly GrowthJob[] = [
  ir(
    'blocks',
    40_000,
    (size) =>
      `define void @f(i1 %a) {\n${repeated(size, (at) => `b${at}:\n  br i1 %a, label %b${at + 1}, label %b${size}\n`)}b${size}:\n  ret void\n}\n`,
  ),
  ir(
    'cases of a switch',
    40_000,
    (size) =>
      `define void @f(i32 %a) {\n  switch i32 %a, label %e [\n${repeated(size, (at) => `    i32 ${at}, label %b${at}\n`)}  ]\n${repeated(size, (at) => `b${at}:\n  br label %e\n`)}e:\n  ret void\n}\n`,
  ),
  ir(
    'instructions',
    40_000,
    (size) =>
      `define i32 @f(i32 %v0) {\n${repeated(size, (at) => `  %v${at + 1} = add nsw i32 %v${at}, ${at}\n`)}  ret i32 %v${size}\n}\n`,
  ),
  ir('functions', 20_000, (size) =>
    repeated(
      size,
      (at) => `define i32 @f${at}(i32 %a) {\n  %b = call i32 @f${at + 1}(i32 %a)\n  ret i32 %b\n}\n`,
    ),
  ),
  ir(
    'types of types',
    10_000,
    (size) =>
      `${repeated(size, (at) => `%t${at} = type { i32, %t${at + 1} }\n`)}%t${size} = type { i32 }\ndefine void @f(ptr %a) {\n  %b = getelementptr %t0, ptr %a, i32 0, i32 1\n  ret void\n}\n`,
  ),
  ir(
    'nested types',
    20_000,
    (size) => `%t = type ${'{ '.repeat(size)}i32${' }'.repeat(size)}\ndefine void @f() {\n  ret void\n}\n`,
  ),
];

export async function growthJobs(): Promise<readonly GrowthJob[]> {
  const compiler = await FileCompiler.make(undefined, '.');
  if (compiler instanceof Fault) console.log(`growth: nothing is compiled: ${compiler.message}`);
  return [...sources, ...changes, ...(compiler instanceof Fault ? [] : compiledChanges(compiler)), ...irs];
}
