import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommitMeter, hunksOf, measureCommit, measureFiles, measureFolders } from '../../src/change/index.js';
import { Fault } from '../../src/machine/index.js';
import { Repository } from '../../src/repository/index.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';

const program = (value: number): string =>
  `int f (int x)\n{\n  if (x > 0)\n    return ${value};\n  return x;\n}\n`;

function had<T>(value: T | Fault): T {
  if (value instanceof Fault) throw new Error(value.message);
  return value;
}

describe('culprit/change', () => {
  it('measureCommit, measureBetween and measureFiles find the same change', async () => {
    const path = temporaryFolder('change');
    initRepository(path);
    const first = commitFiles(path, { 'a.c': program(1) });
    const second = commitFiles(path, { 'a.c': program(2) });
    const expected = { complexity: 1, lines: 1, files: ['a.c'], functions: [{ name: 'f', at: [4] }] };
    expect(await measureCommit(path, 'HEAD')).toMatchObject(expected);

    const repository = had(await Repository.open(path));
    const meter = new CommitMeter(repository, {});
    const { signal } = new AbortController();
    expect(await meter.measureBetween(first, second, signal)).toMatchObject(expected);
    await meter.close();

    writeFileSync(join(path, 'a.c'), program(3));
    expect(await measureFiles(repository)).toMatchObject(expected);
  });

  it('measureFolders compares two folders', async () => {
    const path = temporaryFolder('change');
    for (const [name, value] of [
      ['old', 1],
      ['new', 2],
    ] as const) {
      mkdirSync(join(path, name));
      writeFileSync(join(path, name, 'a.c'), program(value));
    }
    const { complexity, graph } = had(await measureFolders(join(path, 'old'), join(path, 'new')));
    expect(complexity).toBe(1);
    expect(graph.blocks).toHaveLength(1);
  });

  it('measuring functions return a Fault for a missing repository, commit or folder', async () => {
    const path = temporaryFolder('change');
    expect(await measureCommit(path, 'HEAD')).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('is not a git repository'),
    });
    initRepository(path);
    commitFiles(path, { 'a.c': program(1) });
    expect(await measureCommit(path, 'nothing')).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('has no commit nothing'),
    });
    expect(await measureFolders(join(path, 'nowhere'), path)).toMatchObject({
      kind: 'environment',
      message: expect.stringContaining('nowhere cannot be read'),
    });
  });

  it('hunksOf compares two texts', () => {
    expect(hunksOf(program(1), program(2)).map(({ old, new: next }) => [old.from, next.from])).toEqual([
      [4, 4],
    ]);
  });
});
