/** A folder of solver bugs, each with a formula, the version that has it, and the files that were mended. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Fault, readInputText, usageFault } from '../machine/index.js';

const bugSchema = z.object({
  id: z.string(),
  /** Whose bug it is: the name a repository is given by. */
  solver: z.string(),
  options: z.array(z.string()).default([]),
  /** Files to be ranked first, as paths in the tree of the version. */
  truth: z.array(z.string()).min(1),
  /** The version that has it. */
  buggyTag: z.string(),
});

export interface Bug extends z.infer<typeof bugSchema> {
  /** With options that the program is to be called with as commands, as far as a formula can set them. */
  readonly text: string;
}

/** In the order of their names. Folders that hold no bug are left alone. */
export async function bugsIn(folder: string): Promise<readonly Bug[] | Fault> {
  let names: readonly string[];
  try {
    names = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .toSorted();
  } catch {
    return usageFault(`there is no folder ${folder}`);
  }
  const bugs: Bug[] = [];
  for (const name of names) {
    const path = join(folder, name, 'bug.json');
    const described = await readInputText(path);
    if (described instanceof Fault) continue;
    const bug = bugOf(described);
    if (bug === undefined)
      return usageFault(`${path} does not describe a bug: id, solver, truth and buggyTag are wanted`);
    const text = await readInputText(join(folder, name, 'formula.smt2'));
    if (text instanceof Fault) return text;
    bugs.push({ ...bug, text: `${bug.options.map(asCommand).join('')}${text}` });
  }
  return bugs.length === 0
    ? usageFault(`${folder} holds no bugs: a folder with a bug.json for each is wanted`)
    : bugs;
}

function bugOf(text: string): z.infer<typeof bugSchema> | undefined {
  try {
    return bugSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** `--strings-exp` as a formula says it; those of the form `name=value` are the version's. */
function asCommand(option: string): string {
  const flag = /^--([\w-]+)(?:=(\S+))?$/.exec(option);
  return flag === null ? '' : `(set-option :${flag[1]} ${flag[2] ?? 'true'})\n`;
}

/** Options that are set on the version: `model_validate=true`. */
export function versionOptions({ options }: Pick<Bug, 'options'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    options.flatMap((option) => {
      const [, name, value] = /^([\w.]+)=(.*)$/.exec(option) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}
