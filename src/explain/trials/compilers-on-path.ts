/** Puts wrappers under the names of compilers on PATH, so that a build calls them. */

import { readdir, symlink } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { cannotWrite, type Fault, makeFolder } from '../../machine/index.js';

/** Names by which builds call a compiler for C or C++. */
const compilerNames = /^(?:cc|c89|c99|gcc|clang|c\+\+|g\+\+|clang\+\+)(?:-\d+)?$/;

/**
 * Links a program under the name of every compiler on PATH.
 *
 * @param folder an absolute path, since builds change folders
 * @returns a PATH that begins with the folder
 */
export async function standInCompilers(folder: string, program: string): Promise<string | Fault> {
  const path = process.env.PATH ?? '';
  try {
    await makeFolder(folder);
    const names = new Set<string>(['cc']);
    for (const place of path.split(delimiter))
      for (const name of place === '' ? [] : await readdir(place).catch(() => []))
        if (compilerNames.test(name)) names.add(name);
    for (const name of names) await symlink(program, `${folder}/${name}`);
  } catch (error) {
    return cannotWrite(folder, error);
  }
  return `${folder}${delimiter}${path}`;
}
