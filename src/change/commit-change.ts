/** What a commit, a working tree or a pair of folders changed in its C and C++ files. */

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readSource } from '../program/source/read-source.js';
import type { SourceFile } from '../program/source/source-file.js';
import type { FileDelta, Repository } from '../repository/repository.js';
import { changedMacros, type ReadPair } from './changed-code.js';
import type { FilePair } from './read-pairs.js';

export interface CodeChange {
  readonly files: readonly FilePair[];
  /** What was left out and why, a sentence each. */
  readonly notes: readonly string[];
}

/** Endings of files that are read as C or C++. */
const endings = [
  'c',
  'h',
  'cc',
  'cpp',
  'cxx',
  'C',
  'c++',
  'hh',
  'hpp',
  'hxx',
  'H',
  'h++',
  'inl',
  'ipp',
  'tcc',
];

export function isCode(path: string): boolean {
  return endings.includes(/\.([^./]+)$/.exec(path)?.[1] ?? '');
}

/** A commit against its first parent. */
export async function changeOfCommit(
  repository: Repository,
  commit: { readonly id: string; readonly parents: readonly string[] },
  signal: AbortSignal,
): Promise<CodeChange> {
  const deltas = await repository.deltas(commit.parents[0], commit.id, signal);
  return changeOf(repository, deltas, async () => undefined, signal);
}

/** Everything between two commits at once. */
export async function changeBetween(
  repository: Repository,
  oldId: string,
  newId: string,
  signal: AbortSignal,
): Promise<CodeChange> {
  return changeOf(repository, await repository.deltas(oldId, newId, signal), async () => undefined, signal);
}

/** The files of a working tree against a commit. */
export async function changeOfFiles(
  repository: Repository,
  id: string,
  signal: AbortSignal,
): Promise<CodeChange> {
  const deltas = await repository.deltasToFiles(id, signal);
  return changeOf(
    repository,
    deltas,
    (path) => readFile(join(repository.path, path)).catch(() => undefined),
    signal,
  );
}

async function changeOf(
  repository: Repository,
  deltas: readonly FileDelta[],
  onDisk: (path: string) => Promise<Buffer | undefined>,
  signal: AbortSignal,
): Promise<CodeChange> {
  const notes: string[] = [];
  for (const { kind, path } of deltas)
    if (kind === 'submodule') notes.push(`${path} is a submodule: what changed in it is not looked at`);
  const code = deltas.filter(
    ({ kind, path, oldPath }) => kind === 'file' && (isCode(path) || isCode(oldPath)),
  );
  const ids = code.flatMap(({ oldBlob, newBlob }) => [oldBlob, newBlob].filter(isBlob));
  const blobs = await repository.blobs(ids, signal);
  const files: FilePair[] = [];
  for (const { path, oldBlob, newBlob } of code) {
    const bytes = newBlob !== undefined && !isBlob(newBlob) ? await onDisk(path) : blobs.get(newBlob ?? '');
    addPair(files, notes, path, blobs.get(oldBlob ?? ''), bytes);
  }
  return { files, notes };
}

/** git names what it has not looked at by zeros. */
function isBlob(id: string | undefined): id is string {
  return id !== undefined && !/^0*$/.test(id);
}

function addPair(
  files: FilePair[],
  notes: string[],
  path: string,
  old: Buffer | undefined,
  next: Buffer | undefined,
): void {
  if ([old, next].some((bytes) => bytes?.includes(0))) {
    notes.push(`${path} is no text: left out`);
    return;
  }
  files.push({ path, oldText: textOf(old), newText: textOf(next) });
}

/** Old sources are often in Latin-1; which letters comments have does not matter, where lines end does. */
function textOf(bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** Two folders with a version each. */
export async function changeOfFolders(oldFolder: string, newFolder: string): Promise<CodeChange> {
  const [before, after] = await Promise.all([codeIn(oldFolder), codeIn(newFolder)]);
  const files: FilePair[] = [];
  const notes: string[] = [];
  for (const path of new Set([...before, ...after])) {
    const [old, next] = await Promise.all(
      [oldFolder, newFolder].map((folder) => readFile(join(folder, path)).catch(() => undefined)),
    );
    if (old !== undefined && next !== undefined && old.equals(next)) continue;
    addPair(files, notes, path, old, next);
  }
  return { files, notes };
}

async function codeIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((one) => one.isFile() && isCode(one.name))
    .map((one) => relative(folder, join(one.parentPath, one.name)))
    .filter((path) => !path.split('/').includes('.git'))
    .toSorted();
}

/** More files than this are not read for the sake of a macro they mention. */
const mostUsers = 200;

/** The other files of a commit that use macros which changed. */
export async function usersOfMacros(
  repository: Repository,
  id: string,
  pairs: readonly ReadPair[],
  signal: AbortSignal,
): Promise<{ readonly users: readonly SourceFile[]; readonly notes: readonly string[] }> {
  const macros = changedMacros(pairs);
  const own = new Set(pairs.map((one) => one.new.file));
  const patterns = endings.map((ending) => `*.${ending}`);
  const paths = (await repository.filesWith([...macros], id, patterns, signal)).filter(
    (path) => !own.has(path),
  );
  const users: SourceFile[] = [];
  for (const path of paths.slice(0, mostUsers)) {
    const text = await repository.fileAt(id, path, signal);
    if (text !== undefined) users.push(readSource(text, path));
  }
  const left = paths.length - mostUsers;
  return {
    users,
    notes: left > 0 ? [`${left} more files that use changed macros were not looked at`] : [],
  };
}
