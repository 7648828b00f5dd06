/** Reads a folder of solver bugs, each with a formula, the buggy version, and the fixed files. */

import { join } from 'node:path';
import { z } from 'zod';
import { Fault, readInputText } from '../../machine/index.js';
import { readDescribedCases } from '../described-folders.js';

const bugSchema = z.object({
  id: z.string(),
  /** The solver's name, by which the user gives its repository. */
  solver: z.string(),
  options: z.array(z.string()).default([]),
  /** The fixed files, as paths in the version's tree. */
  truth: z.array(z.string()).min(1),
  buggyTag: z.string(),
});

export interface Bug extends z.infer<typeof bugSchema> {
  /** The formula, preceded by commands for those options of the program that a formula can set. */
  readonly text: string;
}

export async function bugsIn(folder: string): Promise<readonly Bug[] | Fault> {
  const found = await readDescribedCases(folder, {
    file: 'bug.json',
    schema: bugSchema,
    noun: 'bug',
    requiredFields: 'id, solver, truth and buggyTag',
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

/** `--strings-exp` as an SMT-LIB command. Options of the form `name=value` belong to the version. */
function asCommand(option: string): string {
  const flag = /^--([\w-]+)(?:=(\S+))?$/.exec(option);
  return flag === null ? '' : `(set-option :${flag[1]} ${flag[2] ?? 'true'})\n`;
}

/** Options to set on the version, such as `model_validate=true`. */
export function versionOptions({ options }: Pick<Bug, 'options'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    options.flatMap((option) => {
      const [, name, value] = /^([\w.]+)=(.*)$/.exec(option) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}
