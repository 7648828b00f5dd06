/** Coverage of builds that culprit did not make, from their compiler's counters. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Fault, usageFault } from '../../machine/index.js';
import type { Executable, Executed } from '../executed.js';

/** With absolute paths, including files of libraries. */
export interface ReadCounters {
  readonly executed: Executed;
  readonly executable: Executable & { readonly files: ReadonlyMap<string, readonly number[]> };
  /** Faults of the unreadable parts; all others were read. */
  readonly faults: readonly Fault[];
}

/** With paths relative to the source folder, without other files. */
export interface CountedBuild extends ReadCounters {
  readonly sources: string;
}

/** @param sources the source folder, if it is known */
export function countedBuild(
  { executed, executable, faults }: ReadCounters,
  sources: string | undefined,
): CountedBuild | Fault {
  const folder = sources === undefined ? sourceFolder([...executable.files.keys()]) : resolve(sources);
  const inFolder = <Value>(files: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    new Map(
      [...files].flatMap(([path, value]) => {
        const name = nameIn(folder, path);
        return name === undefined ? [] : [[name, value] as const];
      }),
    );
  const files = inFolder(executable.files);
  if (files.size === 0) {
    const actualFolder = sourceFolder([...executable.files.keys()]);
    return usageFault(`no compiled source is in ${folder}: the sources are in ${actualFolder}`);
  }
  return {
    executed: { ...executed, files: inFolder(executed.files) },
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

/** Folders with headers of compilers and libraries. */
const libraries = /^\/usr\/|\/include\/c\+\+\/|\/lib\/(?:gcc|clang)\//;

/** The repository of the sources, or else the innermost folder that contains them all; ignores libraries. */
function sourceFolder(paths: readonly string[]): string {
  const ownPaths = paths.filter((path) => !libraries.test(path));
  const [first = '/', ...others] = (ownPaths.length === 0 ? paths : ownPaths).map(dirname);
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
