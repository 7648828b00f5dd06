/** What ran of a build that culprit did not make, by the counters of its compiler. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Fault, usageFault } from '../../machine/index.js';
import type { Executable, Executed } from '../executed.js';

/** Files by their whole paths, also those of libraries. */
export interface ReadCounters {
  readonly executed: Executed;
  readonly executable: Executable & { readonly files: ReadonlyMap<string, readonly number[]> };
  /** What could not be read; the rest was. */
  readonly faults: readonly Fault[];
}

/** Files by their names in the folder with the sources; those elsewhere are left out. */
export interface CountedBuild extends ReadCounters {
  readonly sources: string;
}

/** @param sources the folder with the sources, where it is known */
export function countedBuild(
  { executed, executable, faults }: ReadCounters,
  sources: string | undefined,
): CountedBuild | Fault {
  const folder = sources === undefined ? sourceFolder([...executable.files.keys()]) : resolve(sources);
  const own = <Value>(files: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    new Map(
      [...files].flatMap(([path, value]) => {
        const name = nameIn(folder, path);
        return name === undefined ? [] : [[name, value] as const];
      }),
    );
  const files = own(executable.files);
  if (files.size === 0) {
    const found = sourceFolder([...executable.files.keys()]);
    return usageFault(`no source that was compiled lies in ${folder}: they lie in ${found}`);
  }
  return {
    executed: { ...executed, files: own(executed.files) },
    executable: { ...executable, files },
    faults,
    sources: folder,
  };
}

function nameIn(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  const isInside = inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..';
  return isInside ? inside.split(sep).join('/') : undefined;
}

/** Where compilers and libraries keep their headers. */
const libraries = /^\/usr\/|\/include\/c\+\+\/|\/lib\/(?:gcc|clang)\//;

/** The repository that sources lie in, or else the innermost folder that holds them all; libraries do not count. */
function sourceFolder(paths: readonly string[]): string {
  const own = paths.filter((path) => !libraries.test(path));
  const [first = '/', ...others] = (own.length === 0 ? paths : own).map(dirname);
  const common = others.reduce((folder, other) => {
    let shared = folder;
    while (shared !== other && !other.startsWith(shared === '/' ? shared : `${shared}/`))
      shared = dirname(shared);
    return shared;
  }, first);
  for (let folder = common; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return common;
  }
}
