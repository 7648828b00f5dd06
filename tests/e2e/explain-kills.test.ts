/** Checks that explanations killed at random instants and resumed find the same as undisturbed ones. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { StrategyName } from '../../src/explain/index.js';
import { Random } from '../../src/machine/index.js';
import { startCulprit } from '../cli/culprit.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Each explanation is started this many times, and killed up to this many times per start. */
const rounds = 4;
const kills = 4;

const folder = temporaryFolder('explain-kills');
const parts = ['first', 'second', 'third', 'fourth'];

/**
 * Each part is a file with three changed functions. Two of these changes, in two different files, are only harmful
 * together.
 */
function source(part: string, isNew: boolean): string {
  const now = (old: string, next: string): string => (isNew ? next : old);
  const harmful = part === 'second' ? '3 * x' : part === 'third' ? 'x + 11' : '2 * x';
  const harmless = part === 'second' || part === 'third' ? 'x + x' : 'x * 2';
  return `#include "parts.h"
int ${part}_one(int x) {
  return ${now('x + 1', '1 + x')};
}
int ${part}_two(int x) {
  return ${now(harmless, harmful)};
}
int ${part}_three(int x) {
  return ${now('x - 3', '-3 + x')};
}
`;
}

const calls = parts.map((part) => `${part}_three(${part}_two(${part}_one(n)))`);
const everywhere = {
  'parts.h': parts
    .flatMap((part) => ['one', 'two', 'three'].map((name) => `int ${part}_${name}(int x);\n`))
    .join(''),
  'main.c': `#include <stdio.h>
#include "parts.h"
int main(void) {
  int n = 1;
  int wrong = ${calls[1]} > 1 || ${calls[2]} > 1;
  int sum = ${calls[0]} + ${calls[3]};
  if (wrong)
    sum++;
  printf("%d\\n", sum);
  return 0;
}
`,
  Makefile: `OBJECTS = main.o ${parts.map((part) => `${part}.o`).join(' ')}
prog: $(OBJECTS)
\tcc -o $@ $(OBJECTS)
%.o: %.c parts.h
\tcc -g -c $<
`,
};

for (const version of ['old', 'new']) {
  mkdirSync(join(folder, version));
  const files = Object.fromEntries(parts.map((part) => [`${part}.c`, source(part, version === 'new')]));
  for (const [name, text] of Object.entries({ ...everywhere, ...files }))
    writeFileSync(join(folder, version, name), text);
}

const log = join(folder, 'log');
const asked = [
  ...['explain', '--old', 'old', '--new', 'new', '--repeat', '2'],
  // Every start of culprit builds the old version first.
  ...['--build', `make && case $PWD in */old/source) echo built >> ${log};; esac; test -x prog`],
  ...['--test', 'test "$(./prog)" = 2'],
];

const builtBefore = (): number => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length : 0);

interface Found {
  readonly blamed: readonly { readonly file: string; readonly function: string }[];
}

/** The explanation, or 'killed' if culprit was killed this long after the old version was built. */
async function explained(
  args: readonly string[],
  killAfterMs?: number,
): Promise<{ readonly found: Found; readonly ms: number } | 'killed'> {
  const before = builtBefore();
  const { child, ended } = startCulprit([...args, '--json'], folder);
  while (builtBefore() === before && child.exitCode === null) await sleep(5);
  const startedAt = performance.now();
  const over = killAfterMs === undefined ? true : await Promise.race([ended, sleep(killAfterMs, false)]);
  if (over === false && child.exitCode === null) {
    child.kill('SIGKILL');
    await ended;
    return 'killed';
  }
  const { stdout, stderr, exitCode } = await ended;
  expect(stderr).not.toContain('culprit:');
  expect(exitCode).toBe(0);
  const { blamed, auxiliary, isRepaired, patch, builds, tests } = JSON.parse(stdout);
  const found = { blamed, auxiliary, isRepaired, patch, builds, tests };
  return { found, ms: performance.now() - startedAt };
}

it.each(['culprit', 'dd'] as const)('an explanation by %s finds the same after up to sixteen kills', {
  timeout: 1_800_000,
}, async (strategy) => {
  const random = Random.fromSeed(16);
  const begun = (name: string): readonly string[] => [...asked, '--strategy', strategy, '--out', name];
  const undisturbed = await explained(begun(`${strategy}-whole`));
  if (undisturbed === 'killed') throw new Error('nobody killed it');
  expect(undisturbed.found.blamed.length).toBeGreaterThan(0);
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    const name = `${strategy}-${round}`;
    let came = await explained(begun(name), random.below(Math.ceil(undisturbed.ms)));
    for (let kill = 1; came === 'killed'; kill++) {
      killed++;
      const after = kill < kills ? random.below(Math.ceil(undisturbed.ms)) : undefined;
      came = await explained(['explain', '--resume', name], after);
    }
    expect(came.found, `round ${round}`).toEqual(undisturbed.found);
  }
  expect(killed).toBeGreaterThan(0);
  tell(strategy, killed, undisturbed.ms);
});

function tell(strategy: StrategyName, killed: number, ms: number): void {
  process.stderr.write(`${strategy}: killed ${killed} times within ${Math.round(ms)} ms\n`);
}
