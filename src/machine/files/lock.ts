/** Locks a folder against other processes and against other jobs of this process. */

import { lstatSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { environmentFault, Fault, usageFault } from '../fault.js';
import { isRunning, processStartTime } from '../processes/proc-files.js';
import { cannotWrite } from '../system-fault.js';
import { temporaryPath } from './atomic-file.js';
import { fileTypeName, readInputText } from './input-file.js';

export const lockName = 'lock.json';

const longestLock = 1024;

/** Maximum number of stale locks met in a row; more means heavy contention. */
const mostTries = 5;

/** Locks of this process: the file alone would not separate two of its jobs. */
const held = new Set<string>();

/** Locks a folder until the returned function is called. The lock of a process that has ended is ignored. */
export async function takeLock(folder: string): Promise<(() => Promise<void>) | Fault> {
  const path = resolve(folder, lockName);
  if (held.has(path)) return inUseFault(folder, process.pid);
  held.add(path);
  const result = await linkLock(folder, path);
  if (result !== undefined) {
    held.delete(path);
    return result;
  }
  return async () => {
    await rm(path, { force: true });
    held.delete(path);
  };
}

async function linkLock(folder: string, path: string): Promise<Fault | undefined> {
  const own: Holder = { pid: process.pid, started: processStartTime(process.pid) };
  const aside = temporaryPath(path);
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      // The complete file is linked into place, so nobody reads an empty lock.
      await writeFile(aside, JSON.stringify(own), { flag: 'wx' });
      await link(aside, path);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return cannotWrite(folder, error);
    } finally {
      await rm(aside, { force: true });
    }
    const seen = lockText(path);
    if (seen instanceof Fault) return seen;
    const holder = parseHolder(seen);
    if (holder?.pid !== undefined && isRunning(holder.pid, holder.started))
      return inUseFault(folder, holder.pid);
    await removeIfStill(path, seen, aside);
  }
  return environmentFault(`${folder} cannot be locked`);
}

/** Moves the lock aside first. If another process has replaced it meanwhile, its lock is restored. */
async function removeIfStill(path: string, seen: string | undefined, aside: string): Promise<void> {
  try {
    await rename(path, aside);
    if (lockText(aside) !== seen) await link(aside, path);
  } catch {
    // It is gone or was replaced; the next attempt finds out.
  } finally {
    await rm(aside, { force: true });
  }
}

function inUseFault(folder: string, pid: number): Fault {
  return usageFault(`${folder} is in use by process ${pid}: wait for it, or end it`);
}

interface Holder {
  readonly pid: number;
  readonly started: string | undefined;
}

/** A fault if something else has the lock's name; culprit does not remove it. */
function lockText(path: string): string | undefined | Fault {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (!info.isFile())
    return usageFault(`${path} is ${fileTypeName(info)} and not a lock of culprit's: remove it`);
  const text = readInputText(path, { maxBytes: longestLock });
  if (!(text instanceof Fault)) return text;
  // It may have been released between the two checks.
  return lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? undefined
    : usageFault(`${path} is not a lock of culprit's: move it away`);
}

export function hasLock(folder: string): boolean {
  const text = lockText(join(folder, lockName));
  return !(text instanceof Fault) && typeof parseHolder(text)?.pid === 'number';
}

function parseHolder(text: string | undefined): Partial<Holder> | undefined {
  try {
    return text === undefined ? undefined : ((JSON.parse(text) ?? undefined) as Partial<Holder> | undefined);
  } catch {
    return undefined;
  }
}
