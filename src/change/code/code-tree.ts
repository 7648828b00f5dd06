/** Reads files of the new version besides the changed ones. */

import { join, relative } from 'node:path';
import { environmentFault, Fault, filesBelow, readInput } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import { codeEndings, isCode } from './code-files.js';

export interface CodeTree {
  /** C and C++ files that contain one of the words. */
  filesWith(words: readonly string[], signal: AbortSignal): Promise<readonly string[] | Fault>;
  read(path: string, signal: AbortSignal): Promise<string | undefined | Fault>;
}

export const codePatterns: readonly string[] = codeEndings.map((ending) => `*.${ending}`);

/** @param id a commit; without it, the working tree */
export function treeOfRepository(repository: Repository, id?: string): CodeTree {
  return {
    filesWith: (words, signal) => repository.filesWith(words, id, codePatterns, signal),
    read: (path, signal) =>
      id === undefined ? textOfFile(join(repository.path, path)) : repository.fileAt(id, path, signal),
  };
}

export function treeOfFolder(folder: string): CodeTree {
  return {
    filesWith: async (words, signal) => {
      const found: string[] = [];
      const wanted = new Set(words);
      const paths = words.length === 0 ? [] : await codeIn(folder);
      if (paths instanceof Fault) return paths;
      for (const path of paths) {
        signal.throwIfAborted();
        const text = (await textOfFile(join(folder, path))) ?? '';
        if (text.split(/\W+/).some((word) => wanted.has(word))) found.push(path);
      }
      return found;
    },
    read: (path) => textOfFile(join(folder, path)),
  };
}

/** The C and C++ files below a folder, relative to it. */
export async function codeIn(folder: string): Promise<readonly string[] | Fault> {
  try {
    return (await filesBelow(folder))
      .filter(({ isLink, name }) => !isLink && isCode(name))
      .map(({ path }) => relative(folder, path))
      .filter((path) => !path.split('/').includes('.git'))
      .toSorted();
  } catch (error) {
    return environmentFault(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

async function textOfFile(path: string): Promise<string | undefined> {
  const bytes = readInput(path);
  return bytes instanceof Fault ? undefined : sourceText(bytes);
}

/** Reads old sources as Latin-1 if they are no UTF-8. Wrong letters in comments do no harm. */
export function sourceText(bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
