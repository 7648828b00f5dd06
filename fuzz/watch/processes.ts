/** Processes of this machine from /proc. On other systems the list is empty. */

import { readdirSync, readFileSync } from 'node:fs';

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Processes with one of these texts in their environment, without zombies. */
export function processesWith(marks: readonly string[]): readonly number[] {
  const pids = listed()
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return pids.filter((pid) => {
    const environment = readProc(pid, 'environ');
    return marks.some((mark) => environment.includes(mark)) && !isZombie(pid);
  });
}

function listed(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

/** Fields of stat from the state on. The name before it may contain anything. */
function fieldsOf(pid: number): readonly string[] {
  const stat = readProc(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function isZombie(pid: number): boolean {
  return ['Z', 'X', ''].includes(fieldsOf(pid)[0] ?? '');
}

const millisecondsPerTick = 10;

/** Processor time of a process and of the children it has waited for. */
export function processorMs(pid: number): number {
  const fields = fieldsOf(pid);
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + (Number(field) || 0), 0);
  return ticks * millisecondsPerTick;
}

export function commandOf(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim().slice(0, 200);
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
