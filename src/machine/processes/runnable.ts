import { statSync } from 'node:fs';
import { environmentFault, type Fault } from '../fault.js';
import { findOnPath, isExecutable, type Machine } from '../this-machine.js';

/** Why a program that a user names cannot be run, found out before long work and not during it. */
export function whyNotRunnable(program: string, machine: Machine): Fault | undefined {
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

/** The codes by which a shell says that it could not start something, such as a word that names no program. */
export const unstartedCodes: ReadonlySet<number | undefined> = new Set([126, 127]);
