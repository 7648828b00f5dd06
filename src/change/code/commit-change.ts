/** Collects the C and C++ files that a commit, a working tree or a pair of folders changed. */

import { join } from 'node:path';
import { Fault, pathExists, readInput } from '../../machine/index.js';
import type { FileDelta, Repository } from '../../repository/index.js';
import { isCode } from './code-files.js';
import { codeIn, codePatterns, sourceText } from './code-tree.js';
import type { FilePair } from './read-pairs.js';

export interface CodeChange {
  readonly files: readonly FilePair[];
  readonly notes: readonly string[];
}

/** @param oldId the empty tree if undefined */
export async function changeBetween(
  repository: Repository,
  oldId: string | undefined,
  newId: string,
  signal: AbortSignal,
): Promise<CodeChange | Fault> {
  const deltas = await repository.deltas(oldId, newId, signal);
  return deltas instanceof Fault ? deltas : collectChange(repository, deltas, undefined, signal);
}

export async function changeOfWorkingTree(
  repository: Repository,
  id: string,
  signal: AbortSignal,
): Promise<CodeChange | Fault> {
  const deltas = await repository.deltasToFiles(id, signal);
  if (deltas instanceof Fault) return deltas;
  const onDisk = (path: string) => readFileAt(join(repository.path, path));
  const change = await collectChange(repository, deltas, onDisk, signal);
  if (change instanceof Fault) return change;
  const unknown = await repository.unknownFiles(codePatterns, signal);
  if (unknown instanceof Fault) return unknown;
  const [first, ...more] = unknown;
  if (first === undefined) return change;
  const subject = more.length === 0 ? `${first} is` : `${first} and ${more.length} more are`;
  const note = `${subject} left out: untracked; add new files with git add -N`;
  return { files: change.files, notes: [...change.notes, note] };
}

/** Larger than any source that people write. Generated files may exceed it. */
const mostSourceBytes = 64 << 20;

function readFileAt(path: string): Buffer | undefined | Fault {
  return pathExists(path) ? readInput(path) : undefined;
}

/** @param onDisk reads a file of the new version, if that version is not in the repository */
async function collectChange(
  repository: Repository,
  deltas: readonly FileDelta[],
  onDisk: ((path: string) => Buffer | undefined | Fault) | undefined,
  signal: AbortSignal,
): Promise<CodeChange | Fault> {
  const notes: string[] = [];
  for (const { kind, path } of deltas)
    if (kind === 'submodule') notes.push(`${path} is left out: a submodule`);
  const code = deltas.filter(
    ({ kind, path, oldPath }) => kind === 'file' && (isCode(path) || isCode(oldPath)),
  );
  const ids = code
    .flatMap(({ oldBlob, newBlob }) => (onDisk === undefined ? [oldBlob, newBlob] : [oldBlob]))
    .filter((id) => id !== undefined);
  const blobs = await repository.blobs(ids, signal);
  if (blobs instanceof Fault) return blobs;
  const files: FilePair[] = [];
  for (const { path, oldBlob, newBlob } of code) {
    const old = blobs.get(oldBlob ?? '');
    const next = newBlob === undefined || onDisk === undefined ? blobs.get(newBlob ?? '') : onDisk(path);
    // Git lists touched files as different until it compares their contents.
    if (onDisk !== undefined && old !== undefined && next instanceof Buffer && next.equals(old)) continue;
    addPair(files, notes, path, old, next);
  }
  return { files, notes };
}

function addPair(
  files: FilePair[],
  notes: string[],
  path: string,
  old: Buffer | undefined | Fault,
  next: Buffer | undefined | Fault,
): void {
  if (old instanceof Fault) notes.push(`${path} is left out: ${old.message}`);
  else if (next instanceof Fault) notes.push(`${path} is left out: ${next.message}`);
  else if ([old, next].some((bytes) => (bytes?.length ?? 0) > mostSourceBytes))
    notes.push(`${path} is left out: larger than ${mostSourceBytes >> 20} MB`);
  else if ([old, next].some((bytes) => bytes?.includes(0))) notes.push(`${path} is left out: not text`);
  else files.push({ path, oldText: sourceText(old), newText: sourceText(next) });
}

/** @param isOfCommonFiles leave out files that exist in only one of the folders */
export async function changeOfFolders(
  oldFolder: string,
  newFolder: string,
  isOfCommonFiles: boolean,
): Promise<CodeChange | Fault> {
  const [before, after] = await Promise.all([codeIn(oldFolder), codeIn(newFolder)]);
  if (before instanceof Fault) return before;
  if (after instanceof Fault) return after;
  const files: FilePair[] = [];
  const notes: string[] = [];
  const common = new Set(after);
  const paths = isOfCommonFiles ? before.filter((path) => common.has(path)) : [...before, ...after];
  for (const path of new Set(paths)) {
    const [old, next] = [oldFolder, newFolder].map((folder) => readFileAt(join(folder, path)));
    if (old instanceof Buffer && next instanceof Buffer && old.equals(next)) continue;
    addPair(files, notes, path, old, next);
  }
  return { files, notes };
}
