/** The files of a commit, and of the submodules it names, in a folder of culprit's own. */

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { GitError, git } from './git.js';

/** Where a repository is: as the user named it, and its git folder. */
export interface GitPlace {
  readonly path: string;
  readonly gitDir: string;
}

interface Submodule {
  readonly name: string;
  readonly path: string;
  /** The commit of it. */
  readonly id: string;
}

/**
 * Only what differs from the commit that was there before is written. Nothing of the repository itself is touched:
 * indexes stand in the folder as well. Submodules come from where `git submodule update` has put them.
 *
 * @returns the paths of submodules that are not there; their folders are left empty
 */
export function layOut(
  place: GitPlace,
  id: string,
  folder: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return layOutTree(place, id, { workTree: join(folder, 'source'), index: join(folder, 'index') }, signal);
}

/** Removes what tells which files were laid out: without the files it would be wrong. */
export async function forgetLayOut(folder: string): Promise<void> {
  for (const name of ['index', 'index.submodules'])
    await rm(join(folder, name), { recursive: true, force: true });
}

interface Target {
  readonly workTree: string;
  /** Its submodules have theirs in a folder beside it. */
  readonly index: string;
}

async function layOutTree(
  place: GitPlace,
  id: string,
  { workTree, index }: Target,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const wanted = await submodulesOf(place, id, signal);
  const indexes = `${index}.submodules`;
  await forgetOthers(indexes, workTree, wanted);
  await mkdir(workTree, { recursive: true });
  // Left there by a process that was ended in the middle; the folder is ours alone.
  await rm(`${index}.lock`, { force: true });
  await git(
    [
      `--git-dir=${place.gitDir}`,
      `--work-tree=${workTree}`,
      ...['-c', 'core.bare=false'],
      ...['read-tree', '--reset', '-u', id],
    ],
    { signal, env: { GIT_INDEX_FILE: index } },
  );
  const missing: string[] = [];
  for (const one of wanted) {
    const found = await placeOf(place, one, signal);
    if (found === undefined) {
      missing.push(one.path);
      // Another commit of it may have been there.
      await forgetSubmodule(indexes, workTree, encodeURIComponent(one.path));
      await mkdir(join(workTree, one.path), { recursive: true });
      continue;
    }
    await mkdir(indexes, { recursive: true });
    const target = { workTree: join(workTree, one.path), index: join(indexes, encodeURIComponent(one.path)) };
    const below = await layOutTree(found, one.id, target, signal);
    missing.push(...below.map((path) => `${one.path}/${path}`));
  }
  return missing;
}

/** Submodules an earlier commit had and this one has not are removed: git leaves them where they are. */
async function forgetOthers(indexes: string, workTree: string, wanted: readonly Submodule[]): Promise<void> {
  const kept = new Set(wanted.map(({ path }) => encodeURIComponent(path)));
  for (const name of await readdir(indexes).catch(() => [])) {
    if (!/\.(?:submodules|lock)$/.test(name) && !kept.has(name))
      await forgetSubmodule(indexes, workTree, name);
  }
}

async function forgetSubmodule(indexes: string, workTree: string, name: string): Promise<void> {
  for (const path of [name, `${name}.submodules`, `${name}.lock`])
    await rm(join(indexes, path), { recursive: true, force: true });
  await rm(join(workTree, decodeURIComponent(name)), { recursive: true, force: true });
}

async function submodulesOf(
  { gitDir }: GitPlace,
  id: string,
  signal: AbortSignal | undefined,
): Promise<readonly Submodule[]> {
  const own = `--git-dir=${gitDir}`;
  try {
    const asked = [
      'config',
      '-z',
      '--blob',
      `${id}:.gitmodules`,
      '--get-regexp',
      String.raw`^submodule\..*\.path$`,
    ];
    const names = new Map(
      (await git([own, ...asked], { signal })).split('\0').flatMap((record): [string, string][] => {
        const [key = '', path = ''] = record.split('\n');
        const name = /^submodule\.(.*)\.path$/.exec(key)?.[1];
        return name === undefined || !isInside(name) || !isInside(path) ? [] : [[path, name]];
      }),
    );
    if (names.size === 0) return [];
    const said = await git([own, 'ls-tree', '-z', id, '--', ...names.keys()], { signal });
    return said.split('\0').flatMap((record) => {
      const [, commit, path = ''] = /^160000 commit ([\da-f]+)\t(.*)$/s.exec(record) ?? [];
      const name = names.get(path);
      return commit === undefined || name === undefined ? [] : [{ name, path, id: commit }];
    });
  } catch (error) {
    // There is no such file, or nothing to read in it.
    if (error instanceof GitError) return [];
    throw error;
  }
}

function isInside(path: string): boolean {
  const way = relative('/there', resolve('/there', path));
  return way !== '' && !way.startsWith('..');
}

/** Where git keeps a submodule, if it has that commit. */
async function placeOf(
  { path, gitDir }: GitPlace,
  submodule: Submodule,
  signal: AbortSignal | undefined,
): Promise<GitPlace | undefined> {
  for (const candidate of [join(gitDir, 'modules', submodule.name), join(path, submodule.path)])
    try {
      const said = await git(['-C', candidate, 'rev-parse', '--absolute-git-dir'], { signal });
      const found = resolve(said.trim());
      // A folder without a repository of its own answers for the one around it.
      if (found === gitDir) continue;
      await git([`--git-dir=${found}`, 'cat-file', '-e', `${submodule.id}^{commit}`], { signal });
      return { path: candidate, gitDir: found };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
  return undefined;
}
