/** The files that differ between two folders. */

import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotRead, Fault } from '../../machine/index.js';

/**
 * A file in both versions, as latin1 with one character per byte; a text is undefined if its version has no such
 * file.
 */
export interface FileVersions {
  /** Relative to the folder of the version, with slashes. */
  readonly path: string;
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
  /** The permission bits in the old version. */
  readonly oldMode: number | undefined;
}

export interface TreeDifference {
  readonly files: readonly FileVersions[];
  /** Paths of files that differ and are not text. */
  readonly leftOut: readonly string[];
  /** Paths of files that are executable in one version only. */
  readonly modes: readonly string[];
}

/** Decides whether a file or folder is part of the sources. */
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
      if (isExecutableChanged(a, b)) modes.push(path);
      if (isSame(oldBytes, newBytes)) continue;
      const isText =
        [a, b].every((entry) => entry?.kind !== 'link') && [oldBytes, newBytes].every(hasTextBytes);
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

/** As in git, the only permission that counts is whether the owner may execute the file. */
function isExecutableChanged(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.kind === 'file' && b?.kind === 'file' && (a.mode & 0o100) !== (b.mode & 0o100);
}

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
  // Symbolic links are not followed: their target is compared elsewhere or lies outside.
  return entry.kind === 'link' ? Buffer.from(await readlink(full)) : readFile(full);
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

/** As in git, a text has no zero byte near its beginning. */
function hasTextBytes(bytes: Buffer | undefined): boolean {
  return bytes === undefined || !bytes.subarray(0, 8000).includes(0);
}
