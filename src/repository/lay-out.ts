/** The files of a commit, and of the submodules it names, in a folder of culprit's own. */

import { readdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import {
  environmentFault,
  type Fault,
  joined,
  makeFolder,
  operands,
  revisions,
  words,
} from '../machine/index.js';
import { blobAt, blobsOf } from './blob-at.js';
import { GitFault, git } from './git.js';
import { type GitFolder, openGitFolder } from './own-git-folder.js';

/** A repository, with where the user says it is. */
interface LaidOutRepository extends GitFolder {
  readonly path: string;
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
export async function layOut(
  repository: LaidOutRepository,
  id: string,
  folder: string,
  signal?: AbortSignal,
): Promise<readonly string[] | Fault> {
  const target = { workTree: join(folder, 'source'), index: join(folder, 'index') };
  try {
    return await layOutTree(repository, id, target, signal);
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    return environmentFault(`${folder} cannot be written to: ${error.message}`);
  }
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Removes what tells which files were laid out: without the files it would be wrong. */
export async function forgetLayOut(folder: string): Promise<void> {
  for (const name of ['index', 'index.submodules'])
    await rm(join(folder, name), { recursive: true, force: true });
}

interface LaidOutTree {
  readonly workTree: string;
  /** Its submodules have theirs in a folder beside it. */
  readonly index: string;
}

async function layOutTree(
  repository: LaidOutRepository,
  id: string,
  { workTree, index }: LaidOutTree,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | GitFault> {
  const wanted = await submodulesOf(repository, id, signal);
  if (wanted instanceof GitFault) return wanted;
  const indexes = `${index}.submodules`;
  await forgetOthers(indexes, workTree, wanted);
  await makeFolder(workTree);
  // Left there by a process that was ended in the middle; the folder is ours alone.
  await rm(`${index}.lock`, { force: true });
  const written = await git(
    words(
      words(joined('--git-dir=', repository.own), joined('--work-tree=', workTree)),
      words('read-tree', '--reset', '-u', revisions(id)),
    ),
    { signal, env: { GIT_INDEX_FILE: index } },
  );
  if (written instanceof GitFault) return written;
  const missing: string[] = [];
  for (const submodule of wanted) {
    const { path } = submodule;
    const found = await foldersOf(repository, submodule, signal);
    if (found === undefined) {
      missing.push(path);
      // Another commit of it may have been there.
      await forgetSubmodule(indexes, workTree, encodeURIComponent(path));
      await makeFolder(join(workTree, path));
      continue;
    }
    await makeFolder(indexes);
    const target = { workTree: join(workTree, path), index: join(indexes, encodeURIComponent(path)) };
    const below = await layOutTree(found, submodule.id, target, signal);
    if (below instanceof GitFault) return below;
    missing.push(...below.map((missingBelow) => `${path}/${missingBelow}`));
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

/** None where there is no `.gitmodules`, or nothing to read in it. */
async function submodulesOf(
  { own: gitDir }: LaidOutRepository,
  id: string,
  signal: AbortSignal | undefined,
): Promise<readonly Submodule[] | GitFault> {
  const list = await blobAt(gitDir, id, '.gitmodules', signal);
  if (list === undefined || list instanceof GitFault) return list ?? [];
  const readable = await blobsOf(gitDir, [list], signal);
  if (readable instanceof GitFault) return readable;
  const own = joined('--git-dir=', gitDir);
  const pathsOnly = words('--get-regexp', '^submodule\\..*\\.path$');
  const blob = joined('--blob=', list);
  const configured = await git(words(own, 'config', '-z', blob, pathsOnly), { signal });
  if (configured instanceof GitFault) return [];
  const names = new Map(
    configured.split('\0').flatMap((record): [string, string][] => {
      const [key = '', path = ''] = record.split('\n');
      const name = /^submodule\.(.*)\.path$/.exec(key)?.[1];
      return name === undefined || !isInside(name) || !isInside(path) ? [] : [[path, name]];
    }),
  );
  if (names.size === 0) return [];
  const tree = await git(words(own, 'ls-tree', '-z', revisions(id), operands(...names.keys())), {
    signal,
    env: { GIT_LITERAL_PATHSPECS: '1' },
  });
  if (tree instanceof GitFault) return tree;
  return tree.split('\0').flatMap((record) => {
    const [, commit, path = ''] = /^160000 commit ([\da-f]+)\t(.*)$/s.exec(record) ?? [];
    const name = names.get(path);
    return commit === undefined || name === undefined ? [] : [{ name, path, id: commit }];
  });
}

function isInside(path: string): boolean {
  const way = relative('/there', resolve('/there', path));
  return way !== '' && !way.startsWith('..');
}

/** Where git keeps a submodule, if it has that commit. */
async function foldersOf(
  { path, gitDir, commonDir }: LaidOutRepository,
  submodule: Submodule,
  signal: AbortSignal | undefined,
): Promise<LaidOutRepository | undefined> {
  for (const candidate of [join(commonDir, 'modules', submodule.name), join(path, submodule.path)]) {
    const found = await openGitFolder(candidate, signal);
    if (found instanceof GitFault) continue;
    // A folder without a repository of its own answers for the one around it.
    if (found.gitDir === gitDir || found.commonDir === commonDir) continue;
    const commit = `${submodule.id}^{commit}`;
    const isThere = await git(words(joined('--git-dir=', found.own), 'cat-file', '-e', revisions(commit)), {
      signal,
    });
    if (!(isThere instanceof GitFault)) return { ...found, path: candidate };
  }
  return undefined;
}
