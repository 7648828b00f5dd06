/** Repositories with trees that `git add` would never create. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import { mutateInput } from '../mutations/mutate.js';

/** Names and contents are bytes, one character each. */
export interface TreeFile {
  readonly path: readonly string[];
  readonly bytes: string;
  readonly mode?: string | undefined;
}

function git(folder: string, args: readonly string[], input = ''): string {
  const { stdout } = spawnSync('git', ['-C', folder, ...args], {
    input: Buffer.from(input, 'latin1'),
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      ...{
        GIT_AUTHOR_NAME: 'Someone',
        GIT_AUTHOR_EMAIL: 'someone@example.org',
        GIT_AUTHOR_DATE: '1600000000 +0000',
      },
      ...{ GIT_COMMITTER_NAME: 'Someone', GIT_COMMITTER_EMAIL: 'someone@example.org' },
      GIT_COMMITTER_DATE: '1600000000 +0000',
    },
  });
  return stdout.toString('latin1').trim();
}

/** One commit for each list of files, in `repository` below the folder. */
export function makeStrangeRepository(folder: string, commits: readonly (readonly TreeFile[])[]): void {
  const path = join(folder, 'repository');
  mkdirSync(path);
  git(path, ['init', '-q', '-b', 'main', '--template=']);
  let parent: string | undefined;
  for (const files of commits) {
    const tree = treeOf(path, files);
    const words = parent === undefined ? [] : ['-p', parent];
    parent = git(path, ['commit-tree', tree, ...words, '-m', 'change']);
  }
  if (parent !== undefined) git(path, ['update-ref', 'refs/heads/main', parent]);
}

function treeOf(repository: string, files: readonly TreeFile[]): string {
  const entries = new Map<string, string>();
  const folders = new Map<string, TreeFile[]>();
  for (const { path, bytes, mode = '100644' } of files) {
    const [name = '', ...rest] = path;
    if (rest.length === 0) {
      const blob = git(repository, ['hash-object', '-w', '--stdin'], bytes);
      entries.set(name, `${mode} blob ${blob}\t${name}`);
    } else folders.set(name, [...(folders.get(name) ?? []), { path: rest, bytes, mode }]);
  }
  for (const [name, inside] of folders)
    entries.set(name, `040000 tree ${treeOf(repository, inside)}\t${name}`);
  return git(repository, ['mktree', '-z'], [...entries.values()].map((entry) => `${entry}\0`).join(''));
}

/** Mutates or removes some of git's own files. */
export function damageRepository(folder: string, random: Random): void {
  const inside = join(folder, 'repository', '.git');
  const files = readdirSync(inside, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => join(inside, name))
    .filter((path) => statSync(path).isFile());
  const file = random.pick(files);
  if (random.chance(0.3)) rmSync(file);
  else {
    const bytes = mutateInput([readFileSync(file, 'latin1')], random);
    rmSync(file);
    writeFileSync(file, bytes, 'latin1');
  }
}
