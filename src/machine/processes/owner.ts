import { randomInt } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { isRunning, processStartTime } from './proc-files.js';

/**
 * A unique owner name. Everything a runner creates on the machine carries it, so that leftovers of a killed culprit
 * can be told from files in use. It holds the pid, its start time (pids are reused), the pid namespace (two
 * containers may share a folder but not their pids) and a random number for each runner.
 */
export function newOwnerName(): string {
  const nonce = randomInt(2 ** 32);
  return `culprit-${process.pid}-${processStartTime(process.pid) ?? 0}-${pidNamespace()}-${nonce}`;
}

const ownerName = /^culprit-(\d+)-(\d+)-(\d+)-\d+(?:\.self)?$/;

/** Whether `newOwnerName` on this machine gave this name to a process that has ended. */
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
