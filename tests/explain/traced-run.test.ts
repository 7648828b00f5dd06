import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayed, tracedRun } from '../../src/explain/causes/traced-run.js';
import { Fault } from '../../src/machine/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

it('is not done twice where it came to its end, and anew where it was moved or is damaged', async () => {
  const folder = temporaryFolder('traced-run');
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'new', 'main.c'), 'int main(void) { return 3; }\n');
  const builds = join(folder, 'builds');
  const record = async (name: string) =>
    withoutFault(
      await tracedRun(
        { kind: 'folder', path: join(folder, 'new') },
        join(folder, name),
        {
          build: `echo built >> ${builds} && cc -o prog main.c`,
          test: './prog',
          ...{ buildLimitMs: 60_000, testLimitMs: 60_000 },
        },
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

it('is not followed to a part of its way', async () => {
  const folder = temporaryFolder('traced-run');
  mkdirSync(join(folder, 'new'));
  writeFileSync(
    join(folder, 'new', 'main.c'),
    'int main(void) { int sum = 0; for (int at = 0; at < 10000; at++) sum += at; return sum & 1; }\n',
  );
  const { signal } = new AbortController();
  const commands = { build: 'cc -o prog main.c', test: './prog', buildLimitMs: 60_000, testLimitMs: 60_000 };
  const sources = { kind: 'folder', path: join(folder, 'new') } as const;
  const { records } = withoutFault(await tracedRun(sources, join(folder, 'traced'), commands, signal));
  const [record] = records;
  if (record === undefined) throw new Error('nothing was recorded');
  const whole = withoutFault(await replayed(record, signal));
  expect(whole.end.kind).toBe('end');
  expect(await replayed(record, signal, 1000)).toEqual(
    new Fault('usage', 'a run of more than 1,000 instructions is not followed'),
  );
});
