import { randomInt } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { isRunning, startOfProcess } from './proc-files.js';

/**
 * Everything a runner leaves on the machine carries its owner in the name, so what a killed culprit left can be
 * told from what a living one uses: pid, the process's start time (pids are reused), the pid namespace (two
 * containers may share a folder but not their pids) and something of its own for each runner of the process.
 */
export function newOwnerName(): string {
  const nonce = randomInt(2 ** 32);
  return `culprit-${process.pid}-${startOfProcess(process.pid) ?? 0}-${pidNamespace()}-${nonce}`;
}

const ownerName = /^culprit-(\d+)-(\d+)-(\d+)-\d+(?:\.self)?$/;

/** True for a name this machine's `newOwnerName` gave to a process that is no more. */
export function isLeftBehind(name: string): boolean {
  const match = ownerName.exec(name);
  if (match === null) return false;
  const [, pid = '0', start, namespace] = match;
  if (namespace !== pidNamespace()) return false;
  return !isRunning(Number(pid), start === '0' ? undefined : start);
}

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
