/** Output files that a user names: one rule and the same messages for every command. */

import type { Command } from 'commander';
import { cannotWrite, checkWritable, makeFolder as makeFolders, writeUserFile } from '../../machine/index.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { printExact, tell } from '../screen/terminal.js';

export interface ForceOption {
  readonly force?: boolean;
}

export const standardOutput = '-';

export function withForceOption(command: Command): Command {
  return command.option('--force', 'overwrite existing files');
}

/** Writes a text into the named file, or to standard output for `-`. */
export async function put(file: string, text: string, { force }: ForceOption): Promise<void> {
  if (file === standardOutput) {
    printExact(text);
    return;
  }
  const fault = await writeUserFile(file, text, { isForced: force });
  if (fault !== undefined) orFail(fault);
}

/** Like `put`, and reports the written file. */
export async function putAndTell(file: string, text: string, options: ForceOption): Promise<void> {
  await put(file, text, options);
  if (file !== standardOutput) tell(`written: ${file}`);
}

export interface JsonOption {
  readonly json?: boolean;
}

/** Checked before the long work. With --json, nothing else may go to standard output. */
export async function mustBeWritable(
  file: string | undefined,
  { force, json = false }: ForceOption & JsonOption,
): Promise<void> {
  if (file === standardOutput && json)
    throw new CommandFailure(2, 'only one form goes to standard output; name a file for the others');
  if (file === undefined || file === standardOutput) return;
  const fault = await checkWritable(file, { isForced: force });
  if (fault !== undefined) orFail(fault);
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    orFail(cannotWrite(path, error));
  }
}
