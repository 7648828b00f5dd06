import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tracedCauses } from '../../src/explain/causes/traced-causes.js';
import { changedFiles } from '../../src/explain/changes/change.js';
import { TestedVersion } from '../../src/explain/trials/tested-version.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers');

const program = (sum: string): string => `#include <stdio.h>
#include <time.h>
int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("at %d\\n", (int)(now.tv_nsec % 1000003));
  int sum = ${sum};
  printf("sum %d\\n", sum);
  return 0;
}
`;

const failureOf = async (build: string) => {
  const folder = temporaryFolder('nondeterministic');
  const versions = { old: program('3 + 4'), new: program('3 * 4') };
  for (const [name, text] of Object.entries(versions)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'main.c'), text);
  }
  const files = changedFiles([
    { path: 'main.c', oldText: versions.old, newText: versions.new, oldMode: undefined },
  ]);
  const commands = { build, test: './prog | grep -qx "sum 7"', buildLimitMs: 60_000, testLimitMs: 60_000 };
  const version = (name: string) => new TestedVersion({ kind: 'folder', path: join(folder, name) }, commands);
  const request = {
    old: version('old'),
    new: version('new'),
    changes: files.flatMap(({ changes }) => changes),
    folder: join(folder, 'traced'),
    signal: new AbortController().signal,
  };
  const causes = withoutFault(await tracedCauses(request));
  // The second request reuses the stored second run of the old version.
  expect(withoutFault(await tracedCauses(request)).failure).toEqual(causes.failure);
  return causes;
};

it('the failure of a program that prints the clock is the difference caused by the change', async () => {
  const { failure, place, levels, isNondeterministic: isUnsteady } = await failureOf('cc -o prog main.c');
  expect(failure.does).toContain('12');
  expect(failure.instead).toContain('7');
  expect(place).toBe('main.c:8');
  expect(levels.flat()).toHaveLength(1);
  expect(isUnsteady).toBe(true);
});

it('lines are known even if the build command turns off debug information', async () => {
  const { place } = await failureOf('cc -g0 -o prog main.c');
  expect(place).toBe('main.c:8');
});
