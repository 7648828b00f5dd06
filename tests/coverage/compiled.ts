import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOnPath, thisMachine } from '../../src/machine/index.js';
import { needsTools } from '../needs.js';

needsTools('compilers');

const own = (name: string): string => fileURLToPath(new URL(`../../src/builds/${name}`, import.meta.url));

/** Compiler options of builds that count. */
export const coverageFlags = ['-fprofile-arcs', '-ftest-coverage', '-fdata-sections'];

export interface Compiler {
  readonly c: string;
  readonly cxx: string;
}

/** The installed ones of GCC and clang. */
export function compilers(): readonly Compiler[] {
  const numbers = ['', ...Array.from({ length: 17 }, (_, at) => `-${14 + at}`)];
  const clang = numbers.find((number) => isThere(`clang${number}`) && isThere(`clang++${number}`));
  return [
    ...(isThere('gcc') && isThere('g++') && isThere('gcov') ? [{ c: 'gcc', cxx: 'g++' }] : []),
    ...(clang === undefined ? [] : [{ c: `clang${clang}`, cxx: `clang++${clang}` }]),
  ];
}

function isThere(name: string): boolean {
  return findOnPath(name, thisMachine()) !== undefined;
}

/** Compiles a source, links it with the counter runtime, and returns the program. */
export function countingProgram(
  folder: string,
  source: string,
  { c, cxx }: Compiler,
  options: readonly string[] = [],
  linked: readonly string[] = [],
): string {
  const isC = source.endsWith('.c');
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, [...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run(c, '-O2', '-Wall', '-Wextra', '-Werror', '-c', own('counters.c'), '-o', 'counters.o');
  run(isC ? c : cxx, ...coverageFlags, ...options, '-c', source, '-o', 'counted.o');
  run(isC ? c : cxx, 'counted.o', 'counters.o', `-Wl,-T,${own('counters.ld')}`, ...linked, '-o', 'counted');
  return join(folder, 'counted');
}

/** The program's list of its counters. */
export function listedCounters(program: string, folder: string): string {
  const listed = join(folder, 'counters.txt');
  spawnSync(program, [], { env: { CULPRIT_COUNTERS_TABLE: listed }, cwd: folder });
  return readFileSync(listed, 'utf8');
}

export function writeSource(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}
