/** The files in which two folders with a version each differ. */

import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotRead, Fault } from '../../machine/index.js';

/** A file in both versions, a letter a byte; undefined where a version does not have it. */
export interface FileVersions {
  /** With slashes, from the folder of its version. */
  readonly path: string;
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
  /** Who may read, write and run it, in the old version. */
  readonly oldMode: number | undefined;
}

export interface TreeDifference {
  readonly files: readonly FileVersions[];
  /** What differs and is no text, by its path: it stays as it is in the new version. */
  readonly leftOut: readonly string[];
  /** What can be run in one version and not in the other: that, too, stays as it is in the new version. */
  readonly modes: readonly string[];
}

/** Is what `path` names part of the sources? Told for files and folders. */
export type IsSource = (path: string) => boolean;

export async function differenceOfTrees(
  oldFolder: string,
  newFolder: string,
  isSource: IsSource = () => true,
): Promise<TreeDifference | Fault> {
  const [old, next] = [await entriesIn(oldFolder, isSource), await entriesIn(newFolder, isSource)];
  if (old instanceof Fault) return old;
  if (next instanceof Fault) return next;
  const files: FileVersions[] = [];
  const leftOut: string[] = [];
  const modes: string[] = [];
  for (const path of [...new Set([...old.keys(), ...next.keys()])].toSorted()) {
    const [a, b] = [old.get(path), next.get(path)];
    try {
      const [oldBytes, newBytes] = [await bytesOf(oldFolder, path, a), await bytesOf(newFolder, path, b)];
      if (isOtherwiseRun(a, b)) modes.push(path);
      if (isSame(oldBytes, newBytes)) continue;
      const isText =
        [a, b].every((entry) => entry?.kind !== 'link') && [oldBytes, newBytes].every(isReadable);
      if (isText)
        files.push({
          path,
          oldText: oldBytes?.toString('latin1'),
          newText: newBytes?.toString('latin1'),
          oldMode: a?.mode,
        });
      else leftOut.push(path);
    } catch (error) {
      return cannotRead(join(newFolder, path), error);
    }
  }
  return { files, leftOut, modes };
}

interface Entry {
  readonly kind: 'file' | 'link';
  readonly mode: number;
}

/** As git tells: of all rights, only whether its owner may run it. */
function isOtherwiseRun(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.kind === 'file' && b?.kind === 'file' && (a.mode & 0o100) !== (b.mode & 0o100);
}

/** What git keeps for itself is no part of a version. */
const gitsOwn: ReadonlySet<string> = new Set(['.git']);

async function entriesIn(folder: string, isSource: IsSource): Promise<ReadonlyMap<string, Entry> | Fault> {
  const entries = new Map<string, Entry>();
  const waiting = [''];
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    try {
      for (const entry of await readdir(join(folder, inside), { withFileTypes: true })) {
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (gitsOwn.has(entry.name) || !isSource(path)) continue;
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile() || entry.isSymbolicLink())
          entries.set(path, {
            kind: entry.isFile() ? 'file' : 'link',
            mode: (await lstat(join(folder, path))).mode & 0o777,
          });
      }
    } catch (error) {
      return cannotRead(join(folder, inside), error);
    }
  }
  return entries;
}

async function bytesOf(folder: string, path: string, entry: Entry | undefined): Promise<Buffer | undefined> {
  if (entry === undefined) return undefined;
  const full = join(folder, path);
  // What a link leads to is not followed: it is a file of its own, or somebody else's.
  return entry.kind === 'link' ? Buffer.from(await readlink(full)) : readFile(full);
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

/** As git tells: without a zero byte near its beginning. */
function isReadable(bytes: Buffer | undefined): boolean {
  return bytes === undefined || !bytes.subarray(0, 8000).includes(0);
}
