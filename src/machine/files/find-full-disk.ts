import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';

export interface FullDisk {
  readonly path: string;
  readonly isTemporary: boolean;
}

const full: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * The error names a path if a file could not be opened, and none if a write failed. In the second case, the disk
 * without free space is returned.
 *
 * @param own the folder of the current job's results; the default if the disk cannot be determined
 */
export function findFullDisk(
  error: unknown,
  own: string,
  hasRoom: (folder: string) => boolean | undefined = hasRoomLeft,
): FullDisk | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  if (!full.has(code)) return undefined;
  const temporary: FullDisk = { path: tmpdir(), isTemporary: true };
  const kept: FullDisk = { path: own, isTemporary: false };
  if (path === undefined) return hasRoom(own) !== false && hasRoom(tmpdir()) === false ? temporary : kept;
  if (isBelow(path, own)) return kept;
  return isBelow(path, tmpdir()) ? temporary : { path, isTemporary: false };
}

function isBelow(path: string, folder: string): boolean {
  return resolve(path).startsWith(`${resolve(folder)}${sep}`);
}

/** A write smaller than this failed. */
const littleBytes = 1 << 16;

function hasRoomLeft(folder: string): boolean | undefined {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(folder);
    return bavail * bsize >= littleBytes && (files === 0 || ffree > 0);
  } catch {
    return undefined;
  }
}
