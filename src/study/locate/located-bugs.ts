/** A folder of solver bugs, each with a formula, the version that has it, and the files that were mended. */

import { join } from 'node:path';
import { z } from 'zod';
import { Fault, readInputText } from '../../machine/index.js';
import { describedIn } from '../described-folders.js';

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

export async function bugsIn(folder: string): Promise<readonly Bug[] | Fault> {
  const found = await describedIn(folder, {
    file: 'bug.json',
    schema: bugSchema,
    what: 'bug',
    wanted: 'id, solver, truth and buggyTag',
  });
  if (found instanceof Fault) return found;
  const bugs: Bug[] = [];
  for (const { folder: own, description } of found) {
    const text = readInputText(join(own, 'formula.smt2'));
    if (text instanceof Fault) return text;
    bugs.push({ ...description, text: `${description.options.map(asCommand).join('')}${text}` });
  }
  return bugs;
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
