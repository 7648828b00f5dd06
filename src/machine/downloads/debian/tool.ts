/**
 * Programs out of Debian's archive, each with all it needs in a folder of the cache. Nothing is installed, and no root
 * rights are needed.
 */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFault, Fault } from '../../fault.js';
import { toolsFolder } from '../../files/folders.js';
import { makeFolder } from '../../files/make-folder.js';
import { partIn, putInPlace, removeWhole, sweepParts } from '../../files/whole-folder.js';
import { isExecutable, type Machine, platformOf } from '../../this-machine.js';
import { choosePackages, type DebianArchitecture, type DebianOptions } from './archive.js';
import type { Root } from './root.js';
import { whyNotSearchable } from './start-script.js';

export interface DebianTool {
  /** Of the tool, and of its program in `bin`. */
  readonly name: string;
  readonly suite: string;
  readonly packages: readonly string[];
  /** Dependencies that it works without. */
  readonly without?: readonly string[];
  /** Which files of the packages are written, as a tree, into `root` of its folder. */
  keeps(path: string): boolean;
  /** Writes the rest: what starts its programs, into `bin`. */
  finish(folder: string, root: Root, architecture: DebianArchitecture): Promise<void>;
  /** Whether its program works here, before anyone relies on it. */
  tried(program: string, options: DebianOptions): Promise<Fault | undefined>;
}

/** The tool's folder, whether it is there or not. */
export function debianToolFolder({ name }: DebianTool, machine: Machine): string {
  return join(toolsFolder(machine), `${name}+${platformOf(machine)}`);
}

/** A program of the tool, if it has been fetched. */
export function debianToolProgram(
  tool: DebianTool,
  machine: Machine,
  program = tool.name,
): string | undefined {
  const file = join(debianToolFolder(tool, machine), 'bin', program);
  return isExecutable(file) ? file : undefined;
}

/** Fetches the tool unless it is there already, and gives the path of its program. */
export async function addDebianTool(tool: DebianTool, options: DebianOptions): Promise<string | Fault> {
  const { machine } = options;
  const known = debianToolProgram(tool, machine);
  if (known !== undefined) return known;
  const folder = toolsFolder(machine);
  const unusable = whyNotSearchable(folder);
  if (unusable !== undefined) return unusable;
  const part = partIn(folder);
  try {
    await makeFolder(part);
    await sweepParts(folder);
    const fault = await fill(part, tool, options);
    if (fault !== undefined) return fault;
    // When another process was first, its tool stays.
    await putInPlace(part, debianToolFolder(tool, machine));
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

/** False when there was none. */
export async function removeDebianTool(tool: DebianTool, machine: Machine): Promise<boolean | Fault> {
  if (debianToolProgram(tool, machine) === undefined) return false;
  try {
    await removeWhole(debianToolFolder(tool, machine));
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
  return tool.tried(join(folder, 'bin', name), options);
}

/** Faults of the disk become one sentence; anything else is a mistake in culprit and goes on up. */
function diskFault(error: unknown, folder: string): Fault {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'has no space left' : `cannot be written (${code})`;
  return environmentFault(`the folder ${folder} ${what}: mend it, or set CULPRIT_CACHE to another folder`);
}

function codeOf(error: unknown): string | undefined {
  const { code, errno } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return errno === undefined ? undefined : code;
}
