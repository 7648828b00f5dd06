import { statSync } from 'node:fs';
import { environmentFault, type Fault } from '../fault.js';
import { findOnPath, isExecutable, type Machine } from '../this-machine.js';

/** Checks before long work that a program named by the user can be run. */
export function checkRunnable(program: string, machine: Machine): Fault | undefined {
  if (!program.includes('/'))
    return findOnPath(program, machine) === undefined
      ? environmentFault(`${program} cannot be run: there is no such program on PATH`)
      : undefined;
  if (isExecutable(program)) return undefined;
  const info = statSync(program, { throwIfNoEntry: false });
  if (info === undefined) return environmentFault(`${program} cannot be run: there is no such program`);
  return info.isFile()
    ? environmentFault(`${program} cannot be run: allow it with chmod +x`)
    : environmentFault(`${program} cannot be run: it is not a file`);
}

export const cannotStartCodes: ReadonlySet<number | undefined> = new Set([126, 127]);
