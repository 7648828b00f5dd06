/** What a commit, a working tree or a pair of folders changed in its C and C++ files. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSource, type SourceFile } from '../../program/source/index.js';
import type { FileDelta, Repository } from '../../repository/index.js';
import type { ReadPair } from './changed-code.js';
import { changedMacros } from './changed-macros.js';
import { isCode } from './code-files.js';
import { type CodeTree, codeIn, sourceText, unknownCode } from './code-tree.js';
import type { FilePair } from './read-pairs.js';

export interface CodeChange {
  readonly files: readonly FilePair[];
  /** What was left out and why, a sentence each. */
  readonly notes: readonly string[];
}

/** A commit against its first parent. */
export async function changeOfCommit(
  repository: Repository,
  commit: { readonly id: string; readonly parents: readonly string[] },
  signal: AbortSignal,
): Promise<CodeChange> {
  const deltas = await repository.deltas(commit.parents[0], commit.id, signal);
  return changeOf(repository, deltas, undefined, signal);
}

/** Everything between two commits at once. */
export async function changeBetween(
  repository: Repository,
  oldId: string,
  newId: string,
  signal: AbortSignal,
): Promise<CodeChange> {
  return changeOf(repository, await repository.deltas(oldId, newId, signal), undefined, signal);
}

/** The files of a working tree against a commit. */
export async function changeOfFiles(
  repository: Repository,
  id: string,
  signal: AbortSignal,
): Promise<CodeChange> {
  const deltas = await repository.deltasToFiles(id, signal);
  const onDisk = (path: string) => readFile(join(repository.path, path)).catch(() => undefined);
  const { files, notes } = await changeOf(repository, deltas, onDisk, signal);
  const unknown = await unknownCode(repository, signal);
  const [first, ...more] = unknown;
  if (first === undefined) return { files, notes };
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return { files, notes: [...notes, `${first}${others} left out: git add -N tells git of new files`] };
}

/** @param onDisk where the new version is not in the repository, how its files are read */
async function changeOf(
  repository: Repository,
  deltas: readonly FileDelta[],
  onDisk: ((path: string) => Promise<Buffer | undefined>) | undefined,
  signal: AbortSignal,
): Promise<CodeChange> {
  const notes: string[] = [];
  for (const { kind, path } of deltas)
    if (kind === 'submodule') notes.push(`${path} is a submodule: what changed in it is not looked at`);
  const code = deltas.filter(
    ({ kind, path, oldPath }) => kind === 'file' && (isCode(path) || isCode(oldPath)),
  );
  const ids = code.flatMap(({ oldBlob, newBlob }) => (onDisk === undefined ? [oldBlob, newBlob] : [oldBlob]));
  const blobs = await repository.blobs(
    ids.filter((one) => one !== undefined),
    signal,
  );
  const files: FilePair[] = [];
  for (const { path, oldBlob, newBlob } of code) {
    const old = blobs.get(oldBlob ?? '');
    const next =
      newBlob === undefined || onDisk === undefined ? blobs.get(newBlob ?? '') : await onDisk(path);
    // Files that were only touched differ for git until it looks.
    if (onDisk !== undefined && old !== undefined && next?.equals(old)) continue;
    addPair(files, notes, path, old, next);
  }
  return { files, notes };
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
  files.push({ path, oldText: sourceText(old), newText: sourceText(next) });
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

/** More files than this are not read for the sake of a macro they mention. */
const mostUsers = 200;

/** Nor are more macros than this looked for. */
const mostMacros = 300;

/** The other files of a version that use macros which changed, also by other macros. */
export async function usersOfMacros(
  tree: CodeTree,
  pairs: readonly ReadPair[],
  signal: AbortSignal,
): Promise<{ readonly users: readonly SourceFile[]; readonly notes: readonly string[] }> {
  const seen = new Set(pairs.map((one) => one.new.file));
  const asked = new Set<string>();
  const users: SourceFile[] = [];
  let left = 0;
  for (;;) {
    const fresh = [...changedMacros(pairs, users).shared].filter((name) => !asked.has(name));
    const words = fresh.slice(0, Math.max(0, mostMacros - asked.size));
    if (words.length === 0) return { users, notes: notesOf(left, fresh.length) };
    for (const word of words) asked.add(word);
    for (const path of await tree.filesWith(words, signal)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const text = users.length < mostUsers ? await tree.read(path, signal) : undefined;
      if (text !== undefined) users.push(readSource(text, path));
      else left++;
    }
  }
}

function notesOf(files: number, macros: number): readonly string[] {
  return [
    ...(files > 0 ? [`${files} more files that use changed macros were not looked at`] : []),
    ...(macros > 0 ? [`uses of ${macros} more changed macros were not looked for`] : []),
  ];
}
