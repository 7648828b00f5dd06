/**
 * Permission to run programs. A campaign or a `culprit.json` can come from anybody. Nothing in them is run unless
 * this user named it on a command line before, or adds --trust. culprit stores each permission as a small file next
 * to the cached solvers.
 */

import { join } from 'node:path';
import { sha256 } from '../digest.js';
import { Fault, usageFault } from '../fault.js';
import { thisMachine } from '../this-machine.js';
import { writeAtomically } from './atomic-file.js';
import { cacheFolder } from './folders.js';
import { readInputText } from './input-file.js';
import { makeFolder } from './make-folder.js';

/** A program, a command or a build that runs because a file names it. */
export interface Runnable {
  /** Identifies it: equal keys run the same thing. */
  readonly key: readonly unknown[];
  readonly description: string;
}

export type Allow = (things: readonly Runnable[]) => Promise<Fault | undefined>;

export const allowNamed: Allow = async (things) => {
  try {
    const folder = allowedFolder();
    await makeFolder(folder);
    for (const thing of things)
      if (!isKnown(thing)) await writeAtomically(permissionFile(thing), permissionText(thing));
  } catch {
    // If it cannot be stored, culprit asks when a campaign names it.
  }
  return undefined;
};

/**
 * For things that a file names: allowed if the user named them before.
 *
 * @param where the campaign it comes from
 */
export function allowKnown(where: string): Allow {
  return async (things) => {
    const unknown = things.find((thing) => !isKnown(thing));
    if (unknown === undefined) return undefined;
    return usageFault(
      `${where} runs ${unknown.description}, which you have not named on this machine: if that is safe, add --trust`,
    );
  };
}

/** Compares the whole text, not only the hash in the name. */
function isKnown(thing: Runnable): boolean {
  const text = readInputText(permissionFile(thing), { maxBytes });
  return !(text instanceof Fault) && text === permissionText(thing);
}

const maxBytes = 64 << 20;

function permissionText({ key }: Runnable): string {
  return `${JSON.stringify(key)}\n`;
}

function permissionFile(thing: Runnable): string {
  return join(allowedFolder(), `${sha256(permissionText(thing))}.json`);
}

function allowedFolder(): string {
  return join(cacheFolder(thisMachine()), 'allowed');
}
