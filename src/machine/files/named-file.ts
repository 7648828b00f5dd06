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
import { cacheFolder } from './folders.js';
import { kindOf, readInput } from './input-file.js';
import { makeFolder } from './make-folder.js';
import { writeWhole } from './whole-file.js';

export interface NamedFileOptions {
  /** Replace any regular file. */
  readonly isForced?: boolean | undefined;
  /** One of many files, which are not recorded: only a file with the same content counts as written by culprit. */
  readonly isOneOfMany?: boolean | undefined;
}

/** Checks before long work that a file named by the user can be written. */
export async function whyNotWritable(
  path: string,
  { isForced = false }: NamedFileOptions = {},
): Promise<Fault | undefined> {
  try {
    const there = await modeOfOwn(path, undefined, isForced);
    if (there instanceof Fault) return there;
    // The file is replaced, so its folder must be writable.
    await access(dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return cannotWrite(path, error);
  }
}

/** Writes a file named by the user, atomically. */
export async function writeNamed(
  path: string,
  content: string,
  { isForced = false, isOneOfMany = false }: NamedFileOptions = {},
): Promise<Fault | undefined> {
  try {
    const mode = await modeOfOwn(path, content, isForced);
    if (mode instanceof Fault) return mode;
    await writeWhole(path, content, { mode, isDisposable: isOneOfMany });
    if (!isOneOfMany) await remember(path, content);
    return undefined;
  } catch (error) {
    return cannotWrite(path, error);
  }
}

/** Replaces a regular file that the user asked to change; keeps its mode. */
export async function rewriteNamed(path: string, content: string): Promise<Fault | undefined> {
  return writeNamed(path, content, { isForced: true, isOneOfMany: true });
}

/** The mode of a file that may be replaced; undefined if there is none. */
async function modeOfOwn(
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
        ? `${path} is not a regular file: culprit writes to files, or to standard output where none is named`
        : `${path} is ${kindOf(info)} and not a regular file: name another one`,
    );
  }
  const isOwn = isForced || info.size === 0 || (await isAsLeft(path, content));
  return isOwn
    ? info.mode & 0o777
    : usageFault(
        `${path} is there already, and culprit did not write what is in it: name another file, or add --force to replace it`,
      );
}

async function isAsLeft(path: string, content: string | undefined): Promise<boolean> {
  const there = readInput(path);
  if (there instanceof Fault) return false;
  if (content !== undefined && there.equals(Buffer.from(content))) return true;
  const remembered = readInput(await memoryOf(path), { mostBytes: 1 << 10 });
  return !(remembered instanceof Fault) && remembered.toString('utf8') === sha256(there);
}

/** The file that stores the digest of what culprit last wrote to this path. */
async function memoryOf(path: string): Promise<string> {
  const place = join(await realpath(dirname(resolve(path))), basename(path));
  return join(memoryFolder(), shortDigest(place, 32));
}

function memoryFolder(): string {
  return join(cacheFolder(thisMachine()), 'written');
}

const mostRemembered = 1000;

/** If it cannot be recorded, the next write asks for --force. */
async function remember(path: string, content: string): Promise<void> {
  try {
    await makeFolder(memoryFolder());
    await writeWhole(await memoryOf(path), sha256(content), { isDisposable: true });
    const names = await readdir(memoryFolder());
    if (names.length <= mostRemembered) return;
    const aged = await Promise.all(
      names.map(async (name) => {
        const file = join(memoryFolder(), name);
        return { file, ms: (await stat(file)).mtimeMs };
      }),
    );
    const oldest = aged.toSorted((a, b) => a.ms - b.ms).slice(0, names.length - mostRemembered / 2);
    for (const { file } of oldest) await rm(file, { force: true });
  } catch {
    // Another process removes files too, or the cache is not writable.
  }
}
