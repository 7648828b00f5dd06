import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { TestedVersion } from '../../src/explain/trials/tested-version.js';
import { WorkTree } from '../../src/explain/trials/work-tree.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

it('a work tree rewrites only the files that differ from the previous set, also after a resume', async () => {
  const folder = temporaryFolder('work-tree');
  const names = ['a.txt', 'b.txt', 'c.txt'];
  mkdirSync(join(folder, 'new'));
  for (const name of names) writeFileSync(join(folder, 'new', name), `new ${name}\n`);
  const files = changedFiles(
    names.map((path) => ({ path, oldText: `old ${path}\n`, newText: `new ${path}\n`, oldMode: undefined })),
  );
  const commands = { build: 'true', test: 'true', buildLimitMs: 60_000, testLimitMs: 60_000 };
  const open = async () =>
    withoutFault(
      await WorkTree.open(
        join(folder, 'tree'),
        new TestedVersion({ kind: 'folder', path: join(folder, 'new') }, commands),
        ...([files, signal] as const),
      ),
    );
  const inTree = (name: string) => join(folder, 'tree', 'source', name);
  /** A rewritten file has another inode. */
  const written = async (tree: WorkTree, ...reverted: readonly number[]): Promise<readonly string[]> => {
    const before = names.map((name) => statSync(inTree(name)).ino);
    withoutFault(await tree.try(new Set(reverted), signal));
    return names.filter((name, at) => statSync(inTree(name)).ino !== before[at]);
  };
  const tree = await open();
  expect(await written(tree)).toEqual([]);
  expect(await written(tree, 0)).toEqual(['a.txt']);
  expect(await written(tree, 0, 1)).toEqual(['b.txt']);
  expect(await written(tree, 1, 2)).toEqual(['a.txt', 'c.txt']);
  const resumed = await open();
  expect(await written(resumed, 1, 2)).toEqual([]);
  expect(await written(resumed, 1)).toEqual(['c.txt']);
  expect(names.map((name) => readFileSync(inTree(name), 'utf8'))).toEqual([
    'new a.txt\n',
    'old b.txt\n',
    'new c.txt\n',
  ]);
});

it('a work tree is created again after a build that hit its time limit', async () => {
  const folder = temporaryFolder('cut-build');
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'new', 'main.txt'), 'slow\n');
  const files = changedFiles([
    { path: 'main.txt', oldText: 'quick\n', newText: 'slow\n', oldMode: undefined },
  ]);
  const build =
    'if [ -e prog ]; then exit 0; fi; if grep -q slow main.txt; then echo half >prog; sleep 600; fi; cp main.txt prog';
  const commands = { build, test: 'grep -q quick prog', buildLimitMs: 3000, testLimitMs: 60_000 };
  const version = new TestedVersion({ kind: 'folder', path: join(folder, 'new') }, commands);
  const tree = withoutFault(await WorkTree.open(join(folder, 'tree'), version, files, signal));
  expect(withoutFault(await tree.try(new Set(), signal)).verdict).toBe('does not build');
  expect(withoutFault(await tree.try(new Set([0]), signal)).verdict).toBe('passes');
});
