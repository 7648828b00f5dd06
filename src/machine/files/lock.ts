/** A folder for one process at a time, and for one job of it. */

import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { environmentFault, type Fault, usageFault } from '../fault.js';
import { isRunning, startOfProcess } from '../processes/proc-files.js';

const lockName = 'lock.json';

/** Locks of gone processes that are met one after the other; more would be a folder many fight over. */
const mostTries = 5;

/** Held by this process: the file alone would not keep two of its own jobs apart. */
const held = new Set<string>();

let taken = 0;

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
  const aside = `${path}.${process.pid}.${taken++}`;
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      // Linked into place when it is whole: nobody ever reads an empty lock.
      await writeFile(aside, JSON.stringify(own));
      await link(aside, path);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        return environmentFault(`cannot write to ${folder}: ${(error as Error).message}`);
    } finally {
      await rm(aside, { force: true });
    }
    const seen = await textOf(path);
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
    if ((await textOf(aside)) !== seen) await link(aside, path);
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

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function holderIn(text: string | undefined): Partial<Holder> | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Partial<Holder>);
  } catch {
    return undefined;
  }
}
