import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { tracedRun } from '../../src/explain/causes/traced-run.js';
import { TestedVersion } from '../../src/explain/trials/tested-version.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers');

it('tracedRun reuses a completed run, and repeats a moved or damaged one', async () => {
  const folder = temporaryFolder('traced-run');
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'new', 'main.c'), 'int main(void) { return 3; }\n');
  const builds = join(folder, 'builds');
  const record = async (name: string) =>
    withoutFault(
      await tracedRun(
        new TestedVersion(
          { kind: 'folder', path: join(folder, 'new') },
          {
            build: `echo built >> ${builds} && cc -o prog main.c`,
            test: './prog',
            ...{ buildLimitMs: 60_000, testLimitMs: 60_000 },
          },
        ),
        join(folder, name),
        new AbortController().signal,
      ),
    );
  const times = () => readFileSync(builds, 'utf8').split('\n').length - 1;
  const first = await record('traced');
  expect(first).toMatchObject({ verdict: 'fails', records: [{}] });
  expect(await record('traced')).toEqual(first);
  expect(times()).toBe(1);
  writeFileSync(join(folder, 'traced', 'recorded.json'), '{"verdict":');
  expect(await record('traced')).toMatchObject({ verdict: 'fails', records: [{}] });
  expect(times()).toBe(2);
  renameSync(join(folder, 'traced'), join(folder, 'elsewhere'));
  expect((await record('elsewhere')).source).toBe(join(folder, 'elsewhere', 'source'));
  expect(times()).toBe(3);
});

it('tracedRun reports a missing clang or a failed build', async () => {
  const folder = temporaryFolder('untraced');
  writeFileSync(join(folder, 'main.c'), 'int main(void) { return 3; }\n');
  const record = (name: string, build: string) =>
    tracedRun(
      new TestedVersion(
        { kind: 'folder', path: folder },
        { build, test: './prog', buildLimitMs: 60_000, testLimitMs: 60_000 },
      ),
      join(temporaryFolder('untraced'), name),
      new AbortController().signal,
    );
  expect(await record('failing', 'cc -o prog nothing.c')).toMatchObject({
    message: 'the version does not build with the compiler that records runs',
  });
  vi.stubEnv('CULPRIT_CC', '/nowhere/clang');
  try {
    expect(await record('lacking', 'cc -o prog main.c')).toMatchObject({
      message: 'CULPRIT_CC is set to /nowhere/clang, which is not a program: correct it, or unset it',
    });
  } finally {
    vi.unstubAllEnvs();
  }
});
