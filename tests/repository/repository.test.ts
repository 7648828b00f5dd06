import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/machine/index.js';
import { GitFault } from '../../src/repository/git.js';
import { Repository } from '../../src/repository/repository.js';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder('repository');
  path = join(folder, 'project');
  initRepository(path);
});
afterEach(() => removeFolder(folder));

function git(...args: string[]): string {
  return gitIn(path, args);
}

function commit(name: string, message = name): string {
  return commitFiles(path, { [name]: message }, message);
}

function had<T>(value: T | Fault): T {
  if (value instanceof Fault) throw new Error(value.message);
  return value;
}

const opened = async (): Promise<Repository> => had(await Repository.open(path));

/** All files below a folder with their contents. */
function contents(where: string): ReadonlyMap<string, string> {
  const files = readdirSync(where, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'latin1'),
    ]),
  );
}

describe('a checkout', () => {
  it('is complete and leaves the repository unchanged, whatever its configuration', async () => {
    commit('inner/b');
    const id = commit('a');
    const hooks = join(folder, 'hooks');
    mkdirSync(hooks);
    writeFileSync(join(hooks, 'post-index-change'), `#!/bin/sh\ntouch ${join(folder, 'hooked')}\n`);
    chmodSync(join(hooks, 'post-index-change'), 0o755);
    for (const [name, value] of [
      ['submodule.recurse', 'true'],
      ['core.splitIndex', 'true'],
      ['core.hooksPath', hooks],
      ['core.sparseCheckout', 'true'],
      ['color.ui', 'always'],
    ] as const)
      git('config', name, value);
    writeFileSync(join(path, '.git', 'info', 'sparse-checkout'), '/inner/\n');
    const before = contents(join(path, '.git'));
    had(await (await opened()).checkOut(id, join(folder, 'slot')));
    expect(contents(join(path, '.git'))).toEqual(before);
    expect(readdirSync(join(folder, 'slot', 'source')).toSorted()).toEqual(['a', 'inner']);
    expect(readdirSync(folder)).not.toContain('hooked');
  });
});

describe('a checkout with submodules', () => {
  const out = (): string => join(folder, 'slot', 'source');
  const layOut = async (id: string) => (await opened()).checkOut(id, join(folder, 'slot'));

  /** A sibling repository with one file. */
  function other(name: string, text: string): string {
    const there = join(folder, name);
    initRepository(there);
    commitFiles(there, { file: text }, text);
    return there;
  }

  function addSubmodule(from: string, at: string): string {
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, at);
    git('commit', '-q', '-m', `add ${at}`);
    return git('rev-parse', 'HEAD');
  }

  it("reads them from git's module folders, and removes them for a commit without them", async () => {
    const without = commit('a');
    const withOne = addSubmodule(other('lib', 'first'), 'third party/lib');
    const lib = join(path, 'third party/lib');
    commitFiles(lib, { file: 'second' }, 'second');
    git('commit', '-qam', 'a newer one');
    const newer = git('rev-parse', 'HEAD');
    const file = (): string => readFileSync(join(out(), 'third party/lib/file'), 'utf8');

    expect(await layOut(withOne)).toEqual([]);
    expect(file()).toBe('first');
    expect(await layOut(newer)).toEqual([]);
    expect(file()).toBe('second');
    expect(await layOut(without)).toEqual([]);
    expect(readdirSync(out())).toEqual(['a']);
    const before = contents(join(path, '.git'));
    expect(await layOut(newer)).toEqual([]);
    expect(file()).toBe('second');
    expect(contents(join(path, '.git'))).toEqual(before);
  });

  it('keeps a folder that used to be a submodule', async () => {
    commit('a');
    const linked = addSubmodule(other('lib', 'linked'), 'lib');
    git('rm', '-q', '--cached', 'lib');
    rmSync(join(path, 'lib', '.git'));
    git('add', 'lib');
    git('commit', '-qm', 'own it');
    const owned = git('rev-parse', 'HEAD');
    for (const id of [linked, owned, linked, owned]) {
      expect(await layOut(id)).toEqual([]);
      expect(readFileSync(join(out(), 'lib/file'), 'utf8')).toBe('linked');
    }
  });

  it('names missing submodules at any depth and checks out the rest', async () => {
    commit('a');
    const id = addSubmodule(other('lib', 'lib'), 'lib');
    const clone = join(folder, 'clone');
    git('clone', '-q', path, clone);
    const repository = had(await Repository.open(clone));
    expect(await repository.checkOut(id, join(folder, 'slot'))).toEqual(['lib']);
    expect(readdirSync(out()).toSorted()).toEqual(['.gitmodules', 'a', 'lib']);
    expect(readdirSync(join(out(), 'lib'))).toEqual([]);
  });

  it('ignores .gitmodules entries that lead out of the repository', async () => {
    const outside = other('outside', 'secret');
    const head = gitIn(outside, ['rev-parse', 'HEAD']);
    for (const [at, name] of [
      ['../outside', 'lib'],
      ['lib', '../../../outside/.git'],
    ]) {
      writeFileSync(join(path, '.gitmodules'), `[submodule "${name}"]\n\tpath = ${at}\n\turl = x\n`);
      git('add', '.gitmodules');
      git('update-index', '--add', '--cacheinfo', `160000,${head},lib`);
      git('commit', '-qm', 'a trap');
      await layOut(git('rev-parse', 'HEAD'));
      expect(readdirSync(join(out(), 'lib'))).toEqual([]);
    }
  });
});

describe('reading commits', () => {
  it('reads any message and author name', async () => {
    writeFileSync(join(path, 'a'), '');
    git('add', '.');
    git('commit', '-q', '--author=A\u001fB <a@example.org>', '-m', 'sub\u001fject\n\nbody\nof two lines');
    const id = git('rev-parse', 'HEAD');
    const second = commit('b');
    const commits = had(await (await opened()).commits([second, id]));
    expect(commits.map((found) => found.id)).toEqual([second, id]);
    expect(commits[1]).toMatchObject({ author: 'A\u001fB', body: 'body\nof two lines', parents: [] });
    expect(commits[0]?.parents).toEqual([id]);
  });

  it("returns a merge's changes against its first parent, and the lines of its other parents", async () => {
    const base = commit('base');
    for (const side of ['one', 'two']) {
      git('checkout', '-q', '-b', side, base);
      commit(side);
    }
    git('checkout', '-q', 'main');
    const first = commit('own');
    git('merge', '-q', '--no-edit', 'one', 'two');
    const repository = await opened();
    const [merge] = had(await repository.commits([git('rev-parse', 'HEAD')]));
    if (merge === undefined) throw new Error('there is no merge');
    expect(merge.parents).toHaveLength(3);
    expect(merge.parents[0]).toBe(first);
    expect(had(await repository.filesOf(merge.id)).map((file) => file.path)).toEqual(['one', 'two']);
    expect(had(await repository.filesOf(base)).map((file) => file.path)).toEqual(['base']);
    expect(await repository.sidesOf(merge)).toEqual([
      [base, git('rev-parse', 'one')],
      [base, git('rev-parse', 'two')],
    ]);
  });

  it('finds no sides of a merge of unrelated histories', async () => {
    commit('base');
    git('checkout', '-q', '--orphan', 'other');
    git('rm', '-rqf', '.');
    commit('other');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-edit', '--allow-unrelated-histories', 'other');
    const repository = await opened();
    const [merge] = had(await repository.commits([git('rev-parse', 'HEAD')]));
    if (merge === undefined) throw new Error('there is no merge');
    expect(await repository.sidesOf(merge)).toEqual([]);
  });

  it('reports an unreadable repository and not a wrong order of commits', async () => {
    const [first, second] = [commit('a'), commit('b')];
    rmSync(join(path, '.git', 'objects', first.slice(0, 2), first.slice(2)), { force: true });
    const repository = await opened();
    expect(await repository.line(first, second, 'first-parent')).toBeInstanceOf(GitFault);
    expect(await repository.resolve('nothing')).toBeInstanceOf(Fault);
  });

  it("returns git's errors as values", async () => {
    commit('a');
    const repository = await opened();
    const missing = '0123456789'.repeat(4);
    for (const answer of [
      await repository.commits([missing]),
      await repository.filesOf(missing),
      await repository.functionsOf(missing),
      await repository.deltas(missing, missing),
      await repository.deltasToFiles(missing),
      await repository.treeOf(missing),
      await repository.mergeBase(missing, 'main'),
      await repository.filesWith(['a'], missing, ['*']),
      await repository.checkOut(missing, join(folder, 'slot')),
    ])
      expect(answer).toMatchObject({
        kind: 'environment',
        message: expect.stringMatching(/^git cannot read the repository: \S/),
      });
  });

  it('blames the target folder if the files cannot be written', async () => {
    const id = commit('a');
    writeFileSync(join(folder, 'slot'), 'a file');
    const laidOut = await (await opened()).checkOut(id, join(folder, 'slot'));
    expect(laidOut).not.toBeInstanceOf(GitFault);
    expect(laidOut).toMatchObject({
      kind: 'environment',
      message: expect.stringContaining('cannot be written to'),
    });
  });

  it('throws the reason of an aborted signal', async () => {
    const id = commit('a');
    const stopping = new AbortController();
    stopping.abort('enough');
    await expect((await opened()).commits([id], stopping.signal)).rejects.toBe('enough');
  });
});
