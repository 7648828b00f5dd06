/** Checks out a commit and its submodules into a folder of culprit's own. */

import { readdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import {
  environmentFault,
  type Fault,
  joinedOption,
  makeFolder,
  operands,
  revisions,
  words,
} from '../machine/index.js';
import { blobAt, blobsOf } from './blob-at.js';
import { GitFault, git } from './git.js';
import { type GitFolder, openGitFolder } from './own-git-folder.js';

interface SourceRepository extends GitFolder {
  readonly path: string;
}

interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly id: string;
}

/**
 * Writes only files that differ from the last checkout. The repository is not modified: the index is in the folder
 * too. Submodules come from the places where `git submodule update` puts them.
 *
 * @returns the paths of missing submodules, whose folders stay empty
 */
export async function checkOutFiles(
  repository: SourceRepository,
  id: string,
  folder: string,
  signal?: AbortSignal,
): Promise<readonly string[] | Fault> {
  const target = { workTree: join(folder, 'source'), index: join(folder, 'index') };
  try {
    return await checkOutTree(repository, id, target, signal);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return environmentFault(`${folder} cannot be written to: ${error.message}`);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Removes the indexes of a checkout; they are wrong without its files. */
export async function forgetCheckout(folder: string): Promise<void> {
  for (const name of ['index', 'index.submodules'])
    await rm(join(folder, name), { recursive: true, force: true });
}

interface TargetTree {
  readonly workTree: string;
  /** Indexes of its submodules are in a sibling folder. */
  readonly index: string;
}

async function checkOutTree(
  repository: SourceRepository,
  id: string,
  { workTree, index }: TargetTree,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | GitFault> {
  const wanted = await submodulesOf(repository, id, signal);
  if (wanted instanceof GitFault) return wanted;
  const indexes = `${index}.submodules`;
  await removeOldSubmodules(indexes, workTree, wanted);
  await makeFolder(workTree);
  // Left by a killed process; nobody else uses the folder.
  await rm(`${index}.lock`, { force: true });
  const written = await git(
    words(
      words(joinedOption('--git-dir=', repository.own), joinedOption('--work-tree=', workTree)),
      words('read-tree', '--reset', '-u', revisions(id)),
    ),
    { signal, env: { GIT_INDEX_FILE: index } },
  );
  if (written instanceof GitFault) return written;
  const missing: string[] = [];
  for (const submodule of wanted) {
    const { path } = submodule;
    const found = await findSubmodule(repository, submodule, signal);
    if (found === undefined) {
      missing.push(path);
      // An earlier commit of it may be there.
      await removeSubmodule(indexes, workTree, encodeURIComponent(path));
      await makeFolder(join(workTree, path));
      continue;
    }
    await makeFolder(indexes);
    const target = { workTree: join(workTree, path), index: join(indexes, encodeURIComponent(path)) };
    const below = await checkOutTree(found, submodule.id, target, signal);
    if (below instanceof GitFault) return below;
    missing.push(...below.map((missingBelow) => `${path}/${missingBelow}`));
  }
  return missing;
}

/** Removes submodules that this commit no longer has, because git leaves them in place. */
async function removeOldSubmodules(
  indexes: string,
  workTree: string,
  wanted: readonly Submodule[],
): Promise<void> {
  const kept = new Set(wanted.map(({ path }) => encodeURIComponent(path)));
  for (const name of await readdir(indexes).catch(() => [])) {
    if (!/\.(?:submodules|lock)$/.test(name) && !kept.has(name))
      await removeSubmodule(indexes, workTree, name);
  }
}

async function removeSubmodule(indexes: string, workTree: string, name: string): Promise<void> {
  for (const path of [name, `${name}.submodules`, `${name}.lock`])
    await rm(join(indexes, path), { recursive: true, force: true });
  await rm(join(workTree, decodeURIComponent(name)), { recursive: true, force: true });
}

async function submodulesOf(
  { own: gitDir }: SourceRepository,
  id: string,
  signal: AbortSignal | undefined,
): Promise<readonly Submodule[] | GitFault> {
  const list = await blobAt(gitDir, id, '.gitmodules', signal);
  if (list === undefined || list instanceof GitFault) return list ?? [];
  const readable = await blobsOf(gitDir, [list], signal);
  if (readable instanceof GitFault) return readable;
  const own = joinedOption('--git-dir=', gitDir);
  const pathsOnly = words('--get-regexp', '^submodule\\..*\\.path$');
  const blob = joinedOption('--blob=', list);
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

/** The git folder of a submodule, if it has that commit. */
async function findSubmodule(
  { path, gitDir, commonDir }: SourceRepository,
  submodule: Submodule,
  signal: AbortSignal | undefined,
): Promise<SourceRepository | undefined> {
  for (const candidate of [join(commonDir, 'modules', submodule.name), join(path, submodule.path)]) {
    const found = await openGitFolder(candidate, signal);
    if (found instanceof GitFault) continue;
    // git answers for the outer repository if the folder has none of its own.
    if (found.gitDir === gitDir || found.commonDir === commonDir) continue;
    const commit = `${submodule.id}^{commit}`;
    const isThere = await git(
      words(joinedOption('--git-dir=', found.own), 'cat-file', '-e', revisions(commit)),
      {
        signal,
      },
    );
    if (!(isThere instanceof GitFault)) return { ...found, path: candidate };
  }
  return undefined;
}
