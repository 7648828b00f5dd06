/**
 * Programs from Debian's archive, each with its dependencies in a folder of the cache. Nothing is installed on the
 * machine, and no root rights are needed.
 */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFault, Fault } from '../../fault.js';
import {
  moveIntoPlace,
  removeFolderAtomically,
  stagingFolder,
  sweepStagingFolders,
} from '../../files/atomic-folder.js';
import { toolsFolder } from '../../files/folders.js';
import { makeFolder } from '../../files/make-folder.js';
import { isExecutable, type Machine, platformOf } from '../../this-machine.js';
import { choosePackages, type DebianArchitecture, type DebianOptions } from './archive.js';
import type { Root } from './root.js';
import { checkSearchablePath } from './start-script.js';

export interface DebianTool {
  readonly name: string;
  readonly suite: string;
  readonly packages: readonly string[];
  readonly without?: readonly string[];
  /** Selects the package files that are written below `root`. */
  keeps(path: string): boolean;
  finish(folder: string, root: Root, architecture: DebianArchitecture): Promise<void>;
  test(program: string, options: DebianOptions): Promise<Fault | undefined>;
}

export function debianToolFolder({ name }: DebianTool, machine: Machine): string {
  return join(toolsFolder(machine), `${name}+${platformOf(machine)}`);
}

export function debianToolProgram(
  tool: DebianTool,
  machine: Machine,
  program = tool.name,
): string | undefined {
  const file = join(debianToolFolder(tool, machine), 'bin', program);
  return isExecutable(file) ? file : undefined;
}

export async function addDebianTool(tool: DebianTool, options: DebianOptions): Promise<string | Fault> {
  const { machine } = options;
  const known = debianToolProgram(tool, machine);
  if (known !== undefined) return known;
  const folder = toolsFolder(machine);
  const unusable = checkSearchablePath(folder);
  if (unusable !== undefined) return unusable;
  const part = stagingFolder(folder);
  try {
    await makeFolder(part);
    await sweepStagingFolders(folder);
    const fault = await fill(part, tool, options);
    if (fault !== undefined) return fault;
    // If another process was first, its copy stays.
    await moveIntoPlace(part, debianToolFolder(tool, machine));
  } catch (error) {
    return diskFault(error, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return (
    debianToolProgram(tool, machine) ??
    environmentFault(`${tool.name} vanished from ${folder} while it was added; add it again`)
  );
}

export async function removeDebianTool(tool: DebianTool, machine: Machine): Promise<boolean | Fault> {
  if (debianToolProgram(tool, machine) === undefined) return false;
  try {
    await removeFolderAtomically(debianToolFolder(tool, machine));
    return true;
  } catch (error) {
    return diskFault(error, toolsFolder(machine));
  }
}

async function fill(folder: string, tool: DebianTool, options: DebianOptions): Promise<Fault | undefined> {
  const { name, suite, packages, without = [] } = tool;
  const chosen = await choosePackages({ suite, names: packages, without, folder }, options);
  if (chosen instanceof Fault) return chosen;
  const root = await chosen.unpack();
  if (root instanceof Fault) return root;
  options.progress('debian: unpacking them');
  await root.writeTree(join(folder, 'root'), (path) => tool.keeps(path));
  await tool.finish(folder, root, chosen.architecture);
  const { from, trust } = chosen;
  const manifest = { format: 1, name, suite, packages, from, trust, added: new Date().toISOString() };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return tool.test(join(folder, 'bin', name), options);
}

/** Turns disk errors into a fault; rethrows other errors, which are defects in culprit. */
function diskFault(error: unknown, folder: string): Fault {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'has no space left' : `cannot be written (${code})`;
  return environmentFault(`the folder ${folder} ${what}: fix it, or set CULPRIT_CACHE to another folder`);
}

function codeOf(error: unknown): string | undefined {
  const { code, errno } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return errno === undefined ? undefined : code;
}
