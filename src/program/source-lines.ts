import { isAbsolute, normalize, relative, resolve } from 'node:path';
import type { SourceLine } from './flow.js';
import type { DebugInfo, Place } from './ir/debug-info.js';

/** The line of the source an instruction stands on; undefined for what the compiler added. */
export function sourceLine(
  debug: DebugInfo,
  location: number | undefined,
  root: string,
): SourceLine | undefined {
  let place: Place | undefined = debug.place(location);
  // Where the code was inlined to in the end.
  while (place?.inlinedAt !== undefined) place = place.inlinedAt;
  return place === undefined ? undefined : { file: sourceFile(place, root), line: place.line };
}

/** Relative to the root where it lies inside. */
export function sourceFile({ file, directory }: Pick<Place, 'file' | 'directory'>, root: string): string {
  const whole = isAbsolute(file) ? normalize(file) : resolve(directory, file);
  const inside = relative(root, whole);
  return inside.startsWith('..') || isAbsolute(inside) ? whole : inside;
}
