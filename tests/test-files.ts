/** Lists test files by how they run and if they need tools, for the vitest configurations. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const sources = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .map((path) => join('tests', path))
  .filter((path) => path.endsWith('.ts'));
const texts = new Map(sources.map((path) => [path, readFileSync(path, 'utf8')]));
const all = sources.filter((path) => path.endsWith('.test.ts'));

/** Every test but the slow ones of `npm run e2e`. */
export const tests = all.filter((path) => !isBelow(['tests/e2e/'], path));

/** Tests with random input, of which `npm run e2e` uses more. */
export const inRounds = all.filter((path) => importsOf(path).includes('tests/rounds.ts'));

/**
 * Tests that check the processes, files and memory of their own process. Run one by one, they can share a process.
 */
const watching = [
  'tests/browser/',
  'tests/hostile/',
  'tests/machine/',
  'tests/package/',
  'tests/solver/wasm/',
];

/** Tests that check the whole machine for leftovers of their process. */
const searching = [
  'tests/hostile/solvers.test.ts',
  'tests/reduce/properties.test.ts',
  'tests/solver/process/',
];

/** `vi.mock` replaces modules for all test files of a process. Clocks and environments are restored after each file. */
const replacing = /^vi\.mock\(/m;

export const alone = tests.filter(
  (path) => isBelow(searching, path) || replacing.test(texts.get(path) ?? ''),
);
export const careful = tests.filter((path) => isBelow(watching, path) && !alone.includes(path));

/** Test files that need only what npm installs: they do not import `needs.ts` directly or indirectly. */
export const toolless = tests.filter((path) => !reaches(path, 'tests/needs.ts'));

/** Whether a file of tests/ imports another one, directly or through files of tests/. */
export function reaches(path: string, target: string, seen = new Set<string>()): boolean {
  if (path === target) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(path).some((imported) => reaches(imported, target, seen));
}

function importsOf(path: string): readonly string[] {
  const imports = (texts.get(path) ?? '').matchAll(
    /^(?:import|export|\}) (?:.* )?(?:from )?'(\.[^']+)\.js';$/gm,
  );
  return [...imports].map(([, name = '']) => `${normalize(join(dirname(path), name))}.ts`);
}

function isBelow(starts: readonly string[], path: string): boolean {
  return starts.some((start) => path.startsWith(start));
}

export const sizeOf = (path: string): number => statSync(path).size;
