/** A commit's edits to the lines of files, as stored for following lines through a history. */

import { z } from 'zod';
import { Fault } from '../../machine/index.js';
import type { Ancestor, Comparison, FileEdits, LineEdit, Repository } from '../../repository/index.js';
import { matchedLines } from './matched-lines.js';

/** A replaced block of lines: start and length in the old file and in the new one, from 0. */
const replacedSchema = z.object({
  old: z.tuple([z.number(), z.number()]),
  new: z.tuple([z.number(), z.number()]),
  /** The origin of each new line within the old block, -1 for none; absent for pure insertions and deletions. */
  from: z.array(z.number()).optional(),
});
export type Replaced = z.infer<typeof replacedSchema>;

/** The origin of a file's lines in one of the commit's parents. */
const sourceSchema = z.object({
  /** The parent's number. */
  parent: z.number(),
  path: z.string(),
  replaced: z.array(replacedSchema),
});
export type Source = z.infer<typeof sourceSchema>;

export const commitEditsSchema = z.object({
  id: z.string(),
  parents: z.array(z.string()),
  /** Files that differ from the first parent, with the origin of their lines; none for new files. */
  files: z.array(z.object({ path: z.string(), length: z.number().optional(), from: z.array(sourceSchema) })),
  gone: z.array(z.string()),
});
export type CommitEdits = z.infer<typeof commitEditsSchema>;
type FileOfCommit = CommitEdits['files'][number];

/** File patterns of sources. */
export const sourcePatterns: readonly string[] = [
  'c',
  'cc',
  'cpp',
  'cxx',
  'h',
  'hh',
  'hpp',
  'hxx',
  'inc',
].map((ending) => `*.${ending}`);

/** The edits of each commit, in the same order. */
export async function commitEdits(
  repository: Repository,
  commits: readonly Ancestor[],
  signal?: AbortSignal,
): Promise<readonly CommitEdits[] | Fault> {
  const merges = commits.filter(({ parents }) => parents.length > 1);
  const ofMerges = await mergeEdits(repository, merges, signal);
  if (ofMerges instanceof Fault) return ofMerges;
  const plain = commits.filter(({ parents }) => parents.length < 2);
  const compared = plain.map(({ id, parents: [parent] }): Comparison => ({ id, parent }));
  const edits = await repository.lineEdits(compared, sourcePatterns, signal);
  if (edits instanceof Fault) return edits;
  const found = new Map(ofMerges.map((merge) => [merge.id, merge]));
  for (const [at, commit] of plain.entries()) {
    const own = await asText(repository, commit.id, edits[at] ?? [], signal);
    if (own instanceof Fault) return own;
    found.set(commit.id, plainEdits(commit, own));
  }
  return commits.flatMap(({ id }) => found.get(id) ?? []);
}

/** For a file that changed from binary to text, git reports only that it differs: all lines are new. */
async function asText(
  repository: Repository,
  id: string,
  changed: readonly FileEdits[],
  signal?: AbortSignal,
): Promise<readonly FileEdits[] | Fault> {
  const found: FileEdits[] = [];
  for (const file of changed) {
    const { path, isBinary } = file;
    const text = isBinary && path !== undefined ? await repository.fileAt(id, path, signal) : undefined;
    if (text instanceof Fault) return text;
    if (path === undefined || text === undefined || text.includes('\0')) found.push(file);
    else {
      const newLines = text.replace(/\n$/, '').split('\n');
      const edits = text === '' ? [] : [{ oldAt: 0, oldLines: [], newAt: 0, newLines }];
      found.push({ path, oldPath: undefined, edits, isBinary: false });
    }
  }
  return found;
}

function plainEdits({ id, parents }: Ancestor, changed: readonly FileEdits[]): CommitEdits {
  const files: FileOfCommit[] = [];
  const gone: string[] = [];
  for (const { path, oldPath, edits, isBinary } of changed) {
    if (oldPath !== undefined && oldPath !== path) gone.push(oldPath);
    if (path === undefined) continue;
    // Binary files are not followed.
    if (isBinary) gone.push(path);
    else if (oldPath === undefined) files.push({ path, length: newLength(edits), from: [] });
    else files.push({ path, from: [{ parent: 0, path: oldPath, replaced: edits.map(replacedBy) }] });
  }
  return {
    id,
    parents: [...parents],
    files,
    gone: gone.filter((path) => !files.some((file) => file.path === path)),
  };
}

function newLength(edits: readonly LineEdit[]): number {
  return edits.reduce((sum, { newLines }) => sum + newLines.length, 0);
}

function replacedBy({ oldAt, oldLines, newAt, newLines }: LineEdit): Replaced {
  const where = { old: [oldAt, oldLines.length], new: [newAt, newLines.length] } satisfies Replaced;
  return oldLines.length === 0 || newLines.length === 0
    ? where
    : { ...where, from: [...matchedLines(oldLines, newLines)] };
}

/** A merge takes most files unchanged from a parent; only files that differ from all parents are compared. */
async function mergeEdits(
  repository: Repository,
  merges: readonly Ancestor[],
  signal?: AbortSignal,
): Promise<readonly CommitEdits[] | Fault> {
  const pairs = merges.flatMap(({ id, parents }) => parents.map((parent) => ({ id, parent })));
  const deltas = await repository.changedFiles(pairs, sourcePatterns, signal);
  if (deltas instanceof Fault) return deltas;
  let at = 0;
  const open = merges.map(({ id, parents }) => {
    const byParent = parents.map(() => new Map((deltas[at++] ?? []).map((delta) => [delta.path, delta])));
    const [first = new Map()] = byParent;
    const gone = [...first.values()].filter(({ newBlob }) => newBlob === undefined).map(({ path }) => path);
    const changed = [...first.keys()].filter((path) => !gone.includes(path));
    const takenFrom = (path: string): number => byParent.findIndex((own) => !own.has(path));
    const taken = changed.filter((path) => takenFrom(path) >= 0);
    const files = taken.map(
      (path): FileOfCommit => ({ path, from: [{ parent: takenFrom(path), path, replaced: [] }] }),
    );
    return { id, parents: [...parents], files, gone, mixed: changed.filter((path) => takenFrom(path) < 0) };
  });
  const mixed = open.filter((merge) => merge.mixed.length > 0);
  const paths = [...new Set(mixed.flatMap((merge) => merge.mixed))];
  const mixedPairs = mixed.flatMap(({ id, parents }) => parents.map((parent) => ({ id, parent })));
  // Without paths git would compare all files.
  const edits = paths.length === 0 ? [] : await repository.lineEdits(mixedPairs, paths, signal);
  if (edits instanceof Fault) return edits;
  let next = 0;
  for (const merge of mixed) {
    const byParent = merge.parents.map(() => edits[next++] ?? []);
    for (const path of merge.mixed) merge.files.push(mixedFile(path, byParent));
  }
  return open.map(({ id, parents, files, gone }) => ({ id, parents, files, gone }));
}

function mixedFile(path: string, byParent: readonly (readonly FileEdits[])[]): FileOfCommit {
  const from: Source[] = [];
  let length = 0;
  for (const [parent, files] of byParent.entries()) {
    const own = files.find((file) => file.path === path);
    if (own?.oldPath !== undefined)
      from.push({ parent, path: own.oldPath, replaced: own.edits.map(replacedBy) });
    else length = newLength(own?.edits ?? []);
  }
  return from.length === 0 ? { path, length, from } : { path, from };
}
