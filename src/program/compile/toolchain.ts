/**
 * A clang of culprit's own, for machines that have none: clang, LLVM's programs, a linker and the C and C++ libraries
 * out of Debian's archive, in a folder of the cache. Nothing is installed, and no root rights are needed.
 */

import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  argumentList,
  choosePackages,
  type DebianArchitecture,
  type DebianOptions,
  type DebianRoot,
  environmentFault,
  Fault,
  isExecutable,
  lastWords,
  type Machine,
  makeFolder,
  optionWith,
  partIn,
  platformOf,
  putInPlace,
  removeWhole,
  runTool,
  sweepParts,
  toolsFolder,
} from '../../machine/index.js';
import { toolScript } from './tool-script.js';

/** The oldest whose clang can do all that is asked of one: it runs, and what it links runs, on the most machines. */
const suite = 'bookworm';
const packages = ['clang-14', 'llvm-14', 'libclang-rt-14-dev'];
const llvm = 'usr/lib/llvm-14';

/** Of binutils, what builds call by name. */
const binutils = [
  'ar',
  'as',
  'ld',
  'ld.bfd',
  'ld.gold',
  'nm',
  'objcopy',
  'objdump',
  'ranlib',
  'readelf',
  'size',
  'strip',
];

/** What compiling and linking needs; not manuals, character sets and the like. */
const kept = /^usr\/(bin|include|lib|lib64|libexec)\/(?!.*\/gconv\/|python3)/;

/** The toolchain's folder, whether it is there or not. */
export function toolchainFolder(machine: Machine): string {
  return join(toolsFolder(machine), `clang+${platformOf(machine)}`);
}

/** A program of the toolchain, if it has been fetched. */
export function toolchainProgram(name: string, machine: Machine): string | undefined {
  const file = join(toolchainFolder(machine), 'bin', name);
  return isExecutable(file) ? file : undefined;
}

/** Fetches the toolchain unless it is there already, and gives the path of its clang. */
export async function addToolchain(options: DebianOptions): Promise<string | Fault> {
  const { machine } = options;
  const known = toolchainProgram('clang', machine);
  if (known !== undefined) return known;
  const folder = toolsFolder(machine);
  // The loader splits its search path at these, and there is no way to quote them.
  if (/[:;$]/.test(folder))
    return environmentFault(`the cache folder must have no ":", ";" or "$" in its name: ${folder}`);
  const part = partIn(folder);
  try {
    await makeFolder(part);
    await sweepParts(folder);
    const fault = await fill(part, options);
    if (fault !== undefined) return fault;
    // When another process was first, its toolchain stays.
    await putInPlace(part, toolchainFolder(machine));
  } catch (error) {
    return diskFault(error, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return (
    toolchainProgram('clang', machine) ??
    environmentFault(`clang vanished from ${folder} while it was added; add it again`)
  );
}

/** False when there was none. */
export async function removeToolchain(machine: Machine): Promise<boolean | Fault> {
  if (toolchainProgram('clang', machine) === undefined) return false;
  try {
    await removeWhole(toolchainFolder(machine));
    return true;
  } catch (error) {
    return diskFault(error, toolsFolder(machine));
  }
}

async function fill(folder: string, options: DebianOptions): Promise<Fault | undefined> {
  const chosen = await choosePackages({ suite, names: packages, folder }, options);
  if (chosen instanceof Fault) return chosen;
  const root = await chosen.unpack();
  if (root instanceof Fault) return root;
  options.progress('debian: unpacking them');
  await root.writeTree(join(folder, 'root'), (path) => kept.test(path));
  // Where clang looks for headers of its own.
  await symlink(`root/${llvm}/lib`, join(folder, 'lib'));
  await writeScripts(folder, root, chosen.architecture);
  const { from, trust } = chosen;
  const manifest = {
    format: 1,
    name: 'clang',
    suite,
    packages,
    from,
    trust,
    added: new Date().toISOString(),
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return tried(join(folder, 'bin', 'clang'), options);
}

async function writeScripts(
  folder: string,
  root: DebianRoot,
  architecture: DebianArchitecture,
): Promise<void> {
  const programs = new Map<string, string>();
  for (const path of root.paths()) {
    const name = path.slice(`${llvm}/bin/`.length);
    // One of a name is enough, and the one without a number is looked for by everybody.
    if (path.startsWith(`${llvm}/bin/`) && !/-\d+$/.test(name)) programs.set(name, path);
  }
  for (const name of binutils) programs.set(name, `usr/bin/${name}`);
  for (const [alias, name] of [
    ['cc', 'clang'],
    ['c++', 'clang++'],
  ] as const)
    programs.set(alias, `${llvm}/bin/${name}`);

  await mkdir(join(folder, 'bin'));
  for (const [name, program] of programs) {
    if (!isElf(root.read(program))) continue;
    await writeFile(join(folder, 'bin', name), toolScript(name, program, architecture), { mode: 0o755 });
  }
}

function isElf(content: Buffer | undefined): boolean {
  return content?.toString('latin1', 0, 4) === '\x7fELF';
}

/** Whether it compiles and links here, before anyone relies on it. */
async function tried(clang: string, { machine, signal }: DebianOptions): Promise<Fault | undefined> {
  const source = Buffer.from('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n');
  const command = argumentList(clang, '-x', 'c', '-', optionWith('-o', `${clang}.tried`));
  const compiled = await runTool(command, machine, { timeoutMs: 120_000, input: source, signal });
  const end =
    compiled instanceof Fault || compiled.exitCode !== 0
      ? compiled
      : await runTool(argumentList(`${clang}.tried`), machine, { timeoutMs: 60_000, signal });
  await rm(`${clang}.tried`, { force: true });
  if (!(end instanceof Fault) && end.exitCode === 0) return undefined;
  const why = end instanceof Fault ? end.message : lastWords(end);
  return environmentFault(`the clang of Debian ${suite} does not work here: ${why}`);
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
