/** A folder of cases, each a folder of its own with a file that describes it. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { Fault, readInputText, usageFault } from '../machine/index.js';

export interface Described<Description> {
  readonly name: string;
  readonly folder: string;
  readonly description: Description;
}

export interface DescribedBy<Description> {
  /** The name of the file. */
  readonly file: string;
  readonly schema: z.ZodType<Description>;
  /** What one of them is called, and what its description must say. */
  readonly what: string;
  readonly wanted: string;
}

/** In the order of their names. Folders that hold no such file are left alone. */
export async function describedIn<Description>(
  folder: string,
  { file, schema, what, wanted }: DescribedBy<Description>,
): Promise<readonly Described<Description>[] | Fault> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).toSorted();
  } catch {
    return usageFault(`there is no folder ${folder}`);
  }
  const found: Described<Description>[] = [];
  for (const name of names) {
    const path = join(folder, name, file);
    const text = readInputText(path);
    if (text instanceof Fault) continue;
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) return usageFault(`${path} does not describe a ${what}: ${wanted} are wanted`);
    found.push({ name, folder: join(folder, name), description: parsed.data });
  }
  return found.length === 0
    ? usageFault(`${folder} holds no ${what}s: a folder with a ${file} for each is wanted`)
    : found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
