/** Resolves links in paths of folders. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { detachedCopy } from './detached-copy.js';

const cache = new Map<string, string>();

/** If the folder no longer exists, or is of another machine, resolves its nearest existing parent. */
export function realFolder(folder: string): string {
  let real = cache.get(folder);
  if (real === undefined) {
    real = resolveLinks(folder);
    cache.set(detachedCopy(folder), detachedCopy(real));
  }
  return real;
}

/** Keeps the name of the file even if the file is a link: it is the name the compiler was given. */
export function realFile(file: string): string {
  return join(realFolder(dirname(file)), basename(file));
}

function resolveLinks(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(above), basename(folder));
  }
}
