/** Files in culprit's own folders (a campaign, a cache), whose content may come from somebody else. */

import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, writeSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFault } from '../fault.js';
import { RefusedWrite } from '../refused-write.js';
import { type AtomicWriteOptions, writeAtomically } from './atomic-file.js';
import { fileTypeName } from './input-file.js';

/**
 * Writes a file below a folder, atomically. Every folder on the path must be a real one: a link leads to somebody
 * else's files.
 *
 * @param name such as `cases/s0001.smt2`
 */
export async function writeWithin(
  folder: string,
  name: string,
  content: string | Buffer,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const parts = partsOf(folder, name);
  await mustBeFolders(folder, parts.slice(0, -1));
  await writeAtomically(join(folder, ...parts), content, options);
}

export async function makeFolderWithin(folder: string, name: string): Promise<void> {
  const parts = partsOf(folder, name);
  for (const [at] of parts.entries()) {
    await mkdir(join(folder, ...parts.slice(0, at + 1))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  await mustBeFolders(folder, parts);
}

async function mustBeFolders(folder: string, parts: readonly string[]): Promise<void> {
  for (const [at] of parts.entries()) {
    const path = join(folder, ...parts.slice(0, at + 1));
    const info = await lstat(path);
    if (!info.isDirectory())
      throw new RefusedWrite(
        usageFault(
          `${path} is ${fileTypeName(info)} and not a folder: culprit writes nothing there; remove it`,
        ),
      );
  }
}

function partsOf(folder: string, name: string): readonly string[] {
  const parts = name.split('/');
  const leadsOut = parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
  if (leadsOut) throw new RefusedWrite(usageFault(`${name} is not the name of a file in ${folder}`));
  return parts;
}

/**
 * Opens a file to read and append, and creates it if missing. It must be a regular file with a single name: appending
 * or truncating would also change the target of a link.
 */
export function openToAppend(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined) mustBeOwnFile(path, there);
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
  try {
    mustBeOwnFile(path, fstatSync(file));
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return file;
}

function mustBeOwnFile(path: string, info: Stats): void {
  if (!info.isFile())
    throw new RefusedWrite(
      usageFault(`${path} is ${fileTypeName(info)} and not a regular file: culprit appends to nothing else`),
    );
  if (info.nlink > 1)
    throw new RefusedWrite(
      usageFault(`${path} is a file with another name elsewhere (a hard link): put a copy in its place`),
    );
}

export function appendOwn(path: string, text: string): void {
  const file = openToAppend(path);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}
