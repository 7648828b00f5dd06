import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/machine/index.js';
import { GitError } from '../../src/repository/git.js';
import { Repository } from '../../src/repository/repository.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repository-'));
  path = join(folder, 'project');
  mkdirSync(path);
  git('init', '-q', '-b', 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const asSomeone = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org'];

function git(...args: string[]): string {
  return execFileSync('git', ['-C', path, ...asSomeone, ...args], { encoding: 'utf8' }).trim();
}

function commit(name: string, message = name): string {
  writeFileSync(join(path, name), message);
  git('add', '.');
  git('commit', '-q', '-m', message);
  return git('rev-parse', 'HEAD');
}

const opened = async (): Promise<Repository> => (await Repository.open(path)) as Repository;

/** Everything below a folder, with what it holds. */
function contents(where: string): ReadonlyMap<string, string> {
  const files = readdirSync(where, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    files.map((one) => [
      join(one.parentPath, one.name),
      readFileSync(join(one.parentPath, one.name), 'latin1'),
    ]),
  );
}

describe('laying out a commit', () => {
  it('is whole and writes nothing into the repository, whatever is configured there', async () => {
    mkdirSync(join(path, 'inner'));
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
    await (await opened()).checkOut(id, join(folder, 'slot'));
    expect(contents(join(path, '.git'))).toEqual(before);
    expect(readdirSync(join(folder, 'slot', 'source')).toSorted()).toEqual(['a', 'inner']);
    expect(readdirSync(folder)).not.toContain('hooked');
  });
});

describe('laying out a commit with submodules', () => {
  const out = (): string => join(folder, 'slot', 'source');
  const layOut = async (id: string) => (await opened()).checkOut(id, join(folder, 'slot'));

  /** A repository beside the project, with a file. */
  function other(name: string, text: string): string {
    const there = join(folder, name);
    mkdirSync(there, { recursive: true });
    const run = (...args: string[]) => execFileSync('git', ['-C', there, ...asSomeone, ...args]);
    run('init', '-q', '-b', 'main');
    writeFileSync(join(there, 'file'), text);
    run('add', '.');
    run('commit', '-q', '-m', text);
    return there;
  }

  function addSubmodule(from: string, at: string): string {
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, at);
    git('commit', '-q', '-m', `add ${at}`);
    return git('rev-parse', 'HEAD');
  }

  it('takes them from where git keeps them, and out again for a commit without them', async () => {
    const without = commit('a');
    const withOne = addSubmodule(other('lib', 'first'), 'third party/lib');
    const lib = join(path, 'third party/lib');
    writeFileSync(join(lib, 'file'), 'second');
    execFileSync('git', ['-C', lib, ...asSomeone, 'commit', '-qam', 'second']);
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

  it('keeps a folder that was a submodule before', async () => {
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

  it('names those that are not there, at any depth, and lays out the rest', async () => {
    commit('a');
    const id = addSubmodule(other('lib', 'lib'), 'lib');
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '-q', path, clone]);
    const repository = (await Repository.open(clone)) as Repository;
    expect(await repository.checkOut(id, join(folder, 'slot'))).toEqual(['lib']);
    expect(readdirSync(out()).toSorted()).toEqual(['.gitmodules', 'a', 'lib']);
    expect(readdirSync(join(out(), 'lib'))).toEqual([]);
  });

  it('reads none from outside, whatever .gitmodules says', async () => {
    const outside = other('outside', 'secret');
    const head = execFileSync('git', ['-C', outside, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
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
  it('takes any message and any name', async () => {
    writeFileSync(join(path, 'a'), '');
    git('add', '.');
    git('-c', 'user.name=A\u001fB', 'commit', '-q', '-m', 'sub\u001fject\n\nbody\nof two lines');
    const id = git('rev-parse', 'HEAD');
    const second = commit('b');
    const commits = await (await opened()).commits([second, id]);
    expect(commits.map((one) => one.id)).toEqual([second, id]);
    expect(commits[1]).toMatchObject({ author: 'A\u001fB', body: 'body\nof two lines', parents: [] });
    expect(commits[0]?.parents).toEqual([id]);
  });

  it('tells what a merge changed against its first parent, and every side it brings in', async () => {
    const base = commit('base');
    for (const side of ['one', 'two']) {
      git('checkout', '-q', '-b', side, base);
      commit(side);
    }
    git('checkout', '-q', 'main');
    const first = commit('own');
    git('merge', '-q', '--no-edit', 'one', 'two');
    const repository = await opened();
    const [merge] = await repository.commits([git('rev-parse', 'HEAD')]);
    if (merge === undefined) throw new Error('there is no merge');
    expect(merge.parents).toHaveLength(3);
    expect(merge.parents[0]).toBe(first);
    expect((await repository.filesOf(merge.id)).map((one) => one.path)).toEqual(['one', 'two']);
    expect((await repository.filesOf(base)).map((one) => one.path)).toEqual(['base']);
    expect(await repository.sidesOf(merge)).toEqual([
      [base, git('rev-parse', 'one')],
      [base, git('rev-parse', 'two')],
    ]);
  });

  it('finds nothing to look into where histories began apart', async () => {
    commit('base');
    git('checkout', '-q', '--orphan', 'other');
    git('rm', '-rqf', '.');
    commit('other');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-edit', '--allow-unrelated-histories', 'other');
    const repository = await opened();
    const [merge] = await repository.commits([git('rev-parse', 'HEAD')]);
    if (merge === undefined) throw new Error('there is no merge');
    expect(await repository.sidesOf(merge)).toEqual([]);
  });

  it('does not call a repository that cannot be read a wrong order of commits', async () => {
    const [first, second] = [commit('a'), commit('b')];
    rmSync(join(path, '.git', 'objects', first.slice(0, 2), first.slice(2)), { force: true });
    const repository = await opened();
    await expect(repository.line(first, second, 'first-parent')).rejects.toThrow(GitError);
    expect(await repository.resolve('nothing')).toBeInstanceOf(Fault);
  });
});
