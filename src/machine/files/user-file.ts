/**
 * Files that the user names, such as `--out small.smt2`. An existing file is replaced only if culprit wrote it and
 * nobody has changed it since, if it is empty, or with --force.
 */

import { constants } from 'node:fs';
import { access, lstat, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256, shortDigest } from '../digest.js';
import { Fault, usageFault } from '../fault.js';
import { cannotWrite } from '../system-fault.js';
import { thisMachine } from '../this-machine.js';
import { writeAtomically } from './atomic-file.js';
import { cacheFolder } from './folders.js';
import { fileTypeName, readInput } from './input-file.js';
import { makeFolder } from './make-folder.js';

export interface UserFileOptions {
  readonly isForced?: boolean | undefined;
  /** One of many files, which are not recorded: only a file with the same content counts as written by culprit. */
  readonly isOneOfMany?: boolean | undefined;
}

/** Checks before long work that a file named by the user can be written. */
export async function checkWritable(
  path: string,
  { isForced = false }: UserFileOptions = {},
): Promise<Fault | undefined> {
  try {
    const there = await replaceableMode(path, undefined, isForced);
    if (there instanceof Fault) return there;
    // The file is replaced, so its folder must be writable.
    await access(dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return cannotWrite(path, error);
  }
}

export async function writeUserFile(
  path: string,
  content: string,
  { isForced = false, isOneOfMany = false }: UserFileOptions = {},
): Promise<Fault | undefined> {
  try {
    const mode = await replaceableMode(path, content, isForced);
    if (mode instanceof Fault) return mode;
    await writeAtomically(path, content, { mode, isDisposable: isOneOfMany });
    if (!isOneOfMany) await storeDigest(path, content);
    return undefined;
  } catch (error) {
    return cannotWrite(path, error);
  }
}

export async function rewriteUserFile(path: string, content: string): Promise<Fault | undefined> {
  return writeUserFile(path, content, { isForced: true, isOneOfMany: true });
}

/** The mode of a file that may be replaced; undefined if there is none. */
async function replaceableMode(
  path: string,
  content: string | undefined,
  isForced: boolean,
): Promise<number | undefined | Fault> {
  if (path === '') return usageFault('the name of a file to write is empty');
  const info = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (info === undefined) {
    // Report a missing folder rather than a temporary file that cannot be created.
    await stat(dirname(path));
    return undefined;
  }
  if (!info.isFile()) {
    return usageFault(
      resolve(path).startsWith('/dev/') || info.isFIFO()
        ? `${path} is not a regular file: culprit writes to files or, without a file name, to standard output`
        : `${path} is ${fileTypeName(info)} and not a regular file: name another one`,
    );
  }
  const isOwn = isForced || info.size === 0 || (await isUnchanged(path, content));
  return isOwn
    ? info.mode & 0o777
    : usageFault(
        `${path} already exists, and culprit did not write its content: name another file, or add --force to replace it`,
      );
}

async function isUnchanged(path: string, content: string | undefined): Promise<boolean> {
  const there = readInput(path);
  if (there instanceof Fault) return false;
  if (content !== undefined && there.equals(Buffer.from(content))) return true;
  const remembered = readInput(await digestFile(path), { maxBytes: 1 << 10 });
  return !(remembered instanceof Fault) && remembered.toString('utf8') === sha256(there);
}

async function digestFile(path: string): Promise<string> {
  const place = join(await realpath(dirname(resolve(path))), basename(path));
  return join(digestFolder(), shortDigest(place, 32));
}

function digestFolder(): string {
  return join(cacheFolder(thisMachine()), 'written');
}

const maxDigests = 1000;

/** If it cannot be recorded, the next write asks for --force. */
async function storeDigest(path: string, content: string): Promise<void> {
  try {
    await makeFolder(digestFolder());
    await writeAtomically(await digestFile(path), sha256(content), { isDisposable: true });
    const names = await readdir(digestFolder());
    if (names.length <= maxDigests) return;
    const aged = await Promise.all(
      names.map(async (name) => {
        const file = join(digestFolder(), name);
        return { file, ms: (await stat(file)).mtimeMs };
      }),
    );
    const oldest = aged.toSorted((a, b) => a.ms - b.ms).slice(0, names.length - maxDigests / 2);
    for (const { file } of oldest) await rm(file, { force: true });
  } catch {
    // Another process removes files too, or the cache is not writable.
  }
}
