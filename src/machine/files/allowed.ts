/**
 * What may be run. A campaign, or the `culprit.json` of the folder one stands in, can come from anybody: nothing in them
 * is run unless this user named it on a command line before, or says so now. What was named is remembered beside the
 * cached solvers, a small file each.
 */

import { join } from 'node:path';
import { sha256 } from '../digest.js';
import { Fault, usageFault } from '../fault.js';
import { thisMachine } from '../this-machine.js';
import { cacheFolder } from './folders.js';
import { readInputText } from './input-file.js';
import { makeFolder } from './make-folder.js';
import { writeWhole } from './whole-file.js';

/** A program, a command, a way to build: whatever runs because a text says so. */
export interface Runnable {
  /** All that matters about it: two that run the same have the same. */
  readonly key: readonly unknown[];
  /** In words, such as `the program /opt/z3`. */
  readonly says: string;
}

/** A fault if something may not be run. */
export type Allow = (things: readonly Runnable[]) => Promise<Fault | undefined>;

/** Of what the user names now: it is allowed, and from now on. */
export const allowNamed: Allow = async (things) => {
  try {
    const folder = allowedFolder();
    await makeFolder(folder);
    for (const thing of things) if (!isKnown(thing)) await writeWhole(placeOf(thing), textOf(thing));
  } catch {
    // What cannot be remembered is asked about when it is met in a campaign.
  }
  return undefined;
};

/**
 * Of what a file says: allowed if the user named it before.
 *
 * @param where the campaign it comes from
 */
export function allowKnown(where: string): Allow {
  return async (things) => {
    const unknown = things.find((thing) => !isKnown(thing));
    if (unknown === undefined) return undefined;
    return usageFault(
      `${where} runs ${unknown.says}, which you have not named on this machine: if that is safe, add --trust`,
    );
  };
}

/** The whole text is compared: a name is only where to look. */
function isKnown(thing: Runnable): boolean {
  const text = readInputText(placeOf(thing), { mostBytes });
  return !(text instanceof Fault) && text === textOf(thing);
}

const mostBytes = 64 << 20;

function textOf({ key }: Runnable): string {
  return `${JSON.stringify(key)}\n`;
}

function placeOf(thing: Runnable): string {
  return join(allowedFolder(), `${sha256(textOf(thing))}.json`);
}

function allowedFolder(): string {
  return join(cacheFolder(thisMachine()), 'allowed');
}
