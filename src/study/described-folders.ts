/** Reads a folder that has a subfolder with a description file for each case. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { Fault, readInputText, usageFault } from '../machine/index.js';

export interface DescribedCase<Description> {
  readonly name: string;
  readonly folder: string;
  readonly description: Description;
}

export interface CaseFormat<Description> {
  readonly file: string;
  readonly schema: z.ZodType<Description>;
  /** The noun for a case, and the fields that its description needs. Both appear in error messages. */
  readonly noun: string;
  readonly requiredFields: string;
}

/** Sorted by name. Skips folders without the file. */
export async function readDescribedCases<Description>(
  folder: string,
  { file, schema, noun, requiredFields }: CaseFormat<Description>,
): Promise<readonly DescribedCase<Description>[] | Fault> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).toSorted();
  } catch {
    return usageFault(`there is no folder ${folder}`);
  }
  const found: DescribedCase<Description>[] = [];
  for (const name of names) {
    const path = join(folder, name, file);
    const text = readInputText(path);
    if (text instanceof Fault) continue;
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) return usageFault(`${path} does not describe a ${noun}: it needs ${requiredFields}`);
    found.push({ name, folder: join(folder, name), description: parsed.data });
  }
  return found.length === 0
    ? usageFault(`${folder} holds no ${noun}s: each needs a folder with a ${file}`)
    : found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
