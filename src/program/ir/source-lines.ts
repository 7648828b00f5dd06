import { isAbsolute, normalize, relative, resolve } from 'node:path';
import { type MetadataId, PairMap, type SourceLine } from '../graph/index.js';
import type { DebugInfo, SourcePosition } from './debug-info.js';
import { detachedCopy } from './detached-copy.js';
import { realFile, realFolder } from './real-folder.js';

/** Source line of an instruction; undefined for code that the compiler added. */
export function sourceLine(
  debug: DebugInfo,
  location: MetadataId | undefined,
  root: string,
): SourceLine | undefined {
  let position: SourcePosition | undefined = debug.position(location);
  // The outermost call of inlined code.
  while (position?.inlinedAt !== undefined) position = position.inlinedAt;
  return position === undefined ? undefined : { file: sourceFile(position, root), line: position.line };
}

/** Caches file names by root and folder: there are few names and many queries. */
const cache = new PairMap<string, string, Map<string, string>>();

/**
 * Relative to the root if the file is in it. Links are resolved: a shell reports its folder by the path that led
 * there, and compilers write that path down.
 */
export function sourceFile(
  { file, directory }: Pick<SourcePosition, 'file' | 'directory'>,
  root: string,
): string {
  // Names in debug information are slices of the whole module's text.
  let inFolder = cache.get(root, directory);
  if (inFolder === undefined) {
    inFolder = new Map();
    cache.set(detachedCopy(root), detachedCopy(directory), inFolder);
  }
  let name = inFolder.get(file);
  if (name === undefined) {
    name = detachedCopy(nameIn(root, isAbsolute(file) ? normalize(file) : resolve(directory, file)));
    inFolder.set(detachedCopy(file), name);
  }
  return name;
}

function nameIn(root: string, whole: string): string {
  const real = realFile(whole);
  // A folder in the root may be a link to a folder outside; then the name in the root is kept.
  return insideOf(realFolder(root), real) ?? insideOf(root, whole) ?? real;
}

function insideOf(root: string, file: string): string | undefined {
  const inside = relative(root, file);
  return /^\.\.(?:[\\/]|$)/.test(inside) || isAbsolute(inside) ? undefined : inside;
}
