/** A folder for one process at a time. */

import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFault, type Fault, usageFault } from '../solver/fault.js';
import { startOfProcess } from './process-start.js';

const lockName = 'lock.json';

let taken = 0;

/** Keeps other processes out until what it gives is called; a lock whose process is gone does not count. */
export async function takeLock(folder: string): Promise<(() => Promise<void>) | Fault> {
  const path = join(folder, lockName);
  const own: Holder = { pid: process.pid, started: startOfProcess(process.pid) };
  const whole = `${path}.${process.pid}.${taken++}`;
  for (let tries = 0; tries < 2; tries++) {
    try {
      // Linked into place when it is whole: nobody ever reads an empty lock.
      await writeFile(whole, JSON.stringify(own));
      await link(whole, path);
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        return environmentFault(`Cannot write to ${folder}: ${(error as Error).message}.`);
    } finally {
      await rm(whole, { force: true });
    }
    const holder = await holderOf(path);
    if (holder?.pid !== undefined && isRunning(holder.pid, holder.started)) {
      return usageFault(`${folder} is in use by process ${holder.pid}: wait for it, or end it.`);
    }
    await rm(path, { force: true });
  }
  return environmentFault(`${folder} cannot be locked.`);
}

interface Holder {
  readonly pid: number;
  readonly started: string | undefined;
}

async function holderOf(path: string): Promise<Partial<Holder> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number, started: string | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Numbers of processes are used again.
  return started === undefined || startOfProcess(pid) === started;
}
