import { readFileSync } from 'node:fs';
import { findProgram } from '../this-machine.js';

/** The cores this process may use, from `/proc/self/status`: `0-3,8` means 0, 1, 2, 3, 8. */
function allowedCores(): readonly number[] {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '';
    return list.split(',').flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
  } catch {
    return [];
  }
}

/**
 * The command prefix that pins a slot to a core of its own; empty if taskset is missing or the machine has fewer
 * cores than slots.
 */
export function pinning(slots: number): (slot: number) => readonly string[] {
  const cores = allowedCores();
  const taskset = findProgram('taskset');
  if (taskset === undefined || cores.length < slots) return () => [];
  return (slot) => [taskset, '-c', String(cores.at(-1 - slot) ?? 0)];
}
