import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The cores this process may run on, from `/proc/self/status`: `0-3,8` is 0, 1, 2, 3, 8. */
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

function findProgram(name: string): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, name));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * How to keep the runs of each slot on a core of their own, as words in front of the command; empty where the
 * machine cannot or has fewer cores than slots.
 */
export function pinning(slots: number): (slot: number) => readonly string[] {
  const cores = allowedCores();
  const taskset = findProgram('taskset');
  if (taskset === undefined || cores.length < slots) return () => [];
  return (slot) => [taskset, '-c', String(cores[slot] ?? 0)];
}
