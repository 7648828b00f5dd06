/**
 * How the time of a job grows with the size of what it is given: each job over doubling sizes, with the exponent from
 * one size to the next (1 is linear, 2 quadratic). The fastest of a few runs counts, so that a busy machine hurts less.
 */

import { readSource } from '../src/program/source/index.js';
import { formulaJobs } from './growth-formulas.js';

export interface GrowthJob {
  readonly name: string;
  /** The largest size; half, a quarter and an eighth of it come first. */
  readonly most: number;
  /** What a size stands for, made beforehand; what it gives is what is measured. */
  readonly prepare: (size: number) => () => unknown;
}

const repeated = (size: number, part: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => part(at)).join('');

/** A job that reads a C source. */
const source = (name: string, most: number, text: (size: number) => string): GrowthJob => ({
  name: `source: ${name}`,
  most,
  prepare: (size) => {
    const made = text(size);
    return () => readSource(made, 'a.c');
  },
});

/** To add a job, add a row. */
const jobs: readonly GrowthJob[] = [
  source(
    'else if',
    20_000,
    (size) => `void f(int a) {${repeated(size, (at) => `if (a == ${at}) g(${at}); else `)} h(); }\n`,
  ),
  source('nested blocks', 20_000, (size) => `void f(void) {${'{'.repeat(size)} g(); ${'}'.repeat(size)}}\n`),
  source(
    'nested parentheses',
    20_000,
    (size) => `int f(int a) { return ${'('.repeat(size)}a${')'.repeat(size)}; }\n`,
  ),
  source(
    'cases',
    50_000,
    (size) => `void f(int a) { switch (a) {${repeated(size, (at) => `case ${at}: g(${at});\n`)}} }\n`,
  ),
  source('statements', 100_000, (size) => `void f(int a) {${repeated(size, (at) => `a += ${at};\n`)}}\n`),
  source('one line', 100_000, (size) => `void f(int a) {${repeated(size, (at) => `a += ${at};`)}}\n`),
  source('functions', 20_000, (size) => repeated(size, (at) => `int f${at}(int a) { return a; }\n`)),
  ...formulaJobs,
];

const runs = 3;

export async function growthBench(): Promise<void> {
  for (const { name, most, prepare } of jobs) {
    let before: number | undefined;
    for (const size of [most / 8, most / 4, most / 2, most]) {
      const job = prepare(size);
      let ms = Number.POSITIVE_INFINITY;
      for (let run = 0; run < runs; run++) {
        const startedAt = performance.now();
        await job();
        ms = Math.min(ms, performance.now() - startedAt);
      }
      const exponent = before === undefined ? '' : `, exponent ${Math.log2(ms / before).toFixed(2)}`;
      console.log(`growth: ${name}, ${size}: ${ms.toFixed(1)} ms${exponent}`);
      before = ms;
    }
  }
}
