import { isAbsolute, normalize, relative, resolve } from 'node:path';
import { type MetadataId, PairMap, type SourceLine } from '../graph/index.js';
import type { DebugInfo, SourcePosition } from './debug-info.js';
import { detached } from './detached.js';
import { realFile, realFolder } from './real-folder.js';

/** The line of the source an instruction stands on; undefined for what the compiler added. */
export function sourceLine(
  debug: DebugInfo,
  location: MetadataId | undefined,
  root: string,
): SourceLine | undefined {
  let position: SourcePosition | undefined = debug.position(location);
  // Where the code was inlined to in the end.
  while (position?.inlinedAt !== undefined) position = position.inlinedAt;
  return position === undefined ? undefined : { file: sourceFile(position, root), line: position.line };
}

/** What files are called, by root, folder and name as they are written: there are few, and they are asked for often. */
const names = new PairMap<string, string, Map<string, string>>();

/**
 * Relative to the root where it lies inside, whichever links led the compiler or the user there: a shell says by which
 * way it came to its folder, and a compiler writes that down.
 */
export function sourceFile(
  { file, directory }: Pick<SourcePosition, 'file' | 'directory'>,
  root: string,
): string {
  // What the debug information says is cut out of the whole module's text.
  let inFolder = names.get(root, directory);
  if (inFolder === undefined) {
    inFolder = new Map();
    names.set(detached(root), detached(directory), inFolder);
  }
  let name = inFolder.get(file);
  if (name === undefined) {
    name = detached(nameIn(root, isAbsolute(file) ? normalize(file) : resolve(directory, file)));
    inFolder.set(detached(file), name);
  }
  return name;
}

function nameIn(root: string, whole: string): string {
  const real = realFile(whole);
  // A folder in the root may be a link to one outside, and is still called as it is in the root.
  return insideOf(realFolder(root), real) ?? insideOf(root, whole) ?? real;
}

function insideOf(root: string, file: string): string | undefined {
  const inside = relative(root, file);
  return /^\.\.(?:[\\/]|$)/.test(inside) || isAbsolute(inside) ? undefined : inside;
}
