/** Folders without links on the way to them. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { detached } from './detached.js';

const known = new Map<string, string>();

/** One that is not there any more, or was on another machine, is at least named by a real one above it. */
export function realFolder(folder: string): string {
  let real = known.get(folder);
  if (real === undefined) {
    real = resolved(folder);
    known.set(detached(folder), detached(real));
  }
  return real;
}

/** The file itself may be a link: its name is the one it is compiled by. */
export function realFile(file: string): string {
  return join(realFolder(dirname(file)), basename(file));
}

function resolved(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(above), basename(folder));
  }
}
