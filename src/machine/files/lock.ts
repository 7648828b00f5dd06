/** A folder for one process at a time, and for one job of it. */

import { lstatSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { environmentFault, Fault, usageFault } from '../fault.js';
import { isRunning, startOfProcess } from '../processes/proc-files.js';
import { cannotWrite } from '../system-fault.js';
import { kindOf, readInputText } from './input-file.js';
import { temporaryBeside } from './whole-file.js';

export const lockName = 'lock.json';

/** What is longer is no lock, whatever its name. */
const longestLock = 1024;

/** Locks of gone processes that are met one after the other; more would be a folder many fight over. */
const mostTries = 5;

/** Held by this process: the file alone would not keep two of its own jobs apart. */
const held = new Set<string>();

/** Keeps others out until what it gives is called; a lock whose process is gone does not count. */
export async function takeLock(folder: string): Promise<(() => Promise<void>) | Fault> {
  const path = resolve(folder, lockName);
  if (held.has(path)) return inUse(folder, process.pid);
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

/** Undefined when the lock is ours. */
async function linkLock(folder: string, path: string): Promise<Fault | undefined> {
  const own: Holder = { pid: process.pid, started: startOfProcess(process.pid) };
  const aside = temporaryBeside(path);
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      // Linked into place when it is whole: nobody ever reads an empty lock.
      await writeFile(aside, JSON.stringify(own), { flag: 'wx' });
      await link(aside, path);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return cannotWrite(folder, error);
    } finally {
      await rm(aside, { force: true });
    }
    const seen = textOf(path);
    if (seen instanceof Fault) return seen;
    const holder = holderIn(seen);
    if (holder?.pid !== undefined && isRunning(holder.pid, holder.started)) return inUse(folder, holder.pid);
    await removeIfStill(path, seen, aside);
  }
  return environmentFault(`${folder} cannot be locked`);
}

/** Moved aside first: what somebody else has put there meanwhile is put back. */
async function removeIfStill(path: string, seen: string | undefined, aside: string): Promise<void> {
  try {
    await rename(path, aside);
    if (textOf(aside) !== seen) await link(aside, path);
  } catch {
    // It is gone, or there is a newer one: the next try will see.
  } finally {
    await rm(aside, { force: true });
  }
}

function inUse(folder: string, pid: number): Fault {
  return usageFault(`${folder} is in use by process ${pid}: wait for it, or end it`);
}

interface Holder {
  readonly pid: number;
  readonly started: string | undefined;
}

/** A fault where something else bears the name of a lock: it is not culprit's to remove. */
function textOf(path: string): string | undefined | Fault {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (!info.isFile()) return usageFault(`${path} is ${kindOf(info)} and not a lock of culprit's: remove it`);
  const text = readInputText(path, { mostBytes: longestLock });
  if (!(text instanceof Fault)) return text;
  // Between the two looks it may have been given back.
  return lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? undefined
    : usageFault(`${path} is not a lock of culprit's: move it away`);
}

/** Does a folder hold a lock, of a living process or not? */
export function hasLock(folder: string): boolean {
  const text = textOf(join(folder, lockName));
  return !(text instanceof Fault) && typeof holderIn(text)?.pid === 'number';
}

function holderIn(text: string | undefined): Partial<Holder> | undefined {
  try {
    return text === undefined ? undefined : ((JSON.parse(text) ?? undefined) as Partial<Holder> | undefined);
  } catch {
    return undefined;
  }
}
