/** Which disk is full, where an error says that one is. */

import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';

export interface FullPlace {
  readonly path: string;
  /** It is where temporary files are. */
  readonly isTemporary: boolean;
}

const full: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * The error names a path where a file could not be opened, and none where it could not be written on: then the disk with
 * nothing left on it is meant.
 *
 * @param own where the job at hand keeps what it finds; meant where nothing else can be told
 */
export function fullPlace(
  error: unknown,
  own: string,
  hasRoom: (folder: string) => boolean | undefined = hasRoomLeft,
): FullPlace | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  if (!full.has(code)) return undefined;
  const temporary: FullPlace = { path: tmpdir(), isTemporary: true };
  const kept: FullPlace = { path: own, isTemporary: false };
  if (path === undefined) return hasRoom(own) !== false && hasRoom(tmpdir()) === false ? temporary : kept;
  if (isBelow(path, own)) return kept;
  return isBelow(path, tmpdir()) ? temporary : { path, isTemporary: false };
}

function isBelow(path: string, folder: string): boolean {
  return resolve(path).startsWith(`${resolve(folder)}${sep}`);
}

/** A write of less than this was what failed. */
const littleBytes = 1 << 16;

/** Undefined where it cannot be told. */
function hasRoomLeft(folder: string): boolean | undefined {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(folder);
    return bavail * bsize >= littleBytes && (files === 0 || ffree > 0);
  } catch {
    return undefined;
  }
}
