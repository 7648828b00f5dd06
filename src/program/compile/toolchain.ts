/**
 * Downloads a clang for machines without one: clang, LLVM's programs, a linker, and the C and C++ libraries, from
 * Debian's archive.
 */

import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addDebianTool,
  argumentList,
  type DebianArchitecture,
  type DebianOptions,
  type DebianRoot,
  type DebianTool,
  debianToolFolder,
  debianToolProgram,
  environmentFault,
  Fault,
  lastErrorLine,
  type Machine,
  optionWith,
  removeDebianTool,
  runTool,
} from '../../machine/index.js';
import { toolScript } from './tool-script.js';

/** The oldest release with a suitable clang: old programs run on the most machines. */
const suite = 'bookworm';
const packages = ['clang-14', 'llvm-14', 'libclang-rt-14-dev'];
const llvm = 'usr/lib/llvm-14';

/** Programs of binutils that builds call by name. */
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

/** Files for compiling and linking, without manuals, character sets and the like. */
const keptFiles = /^usr\/(bin|include|lib|lib64|libexec)\/(?!.*\/gconv\/|python3)/;

const toolchain: DebianTool = {
  name: 'clang',
  suite,
  packages,
  keeps: (path) => keptFiles.test(path),
  async finish(folder, root, architecture) {
    // clang searches its own headers here.
    await symlink(`root/${llvm}/lib`, join(folder, 'lib'));
    await writeScripts(folder, root, architecture);
  },
  test: testClang,
};

/** The toolchain's folder, which may not exist. */
export function toolchainFolder(machine: Machine): string {
  return debianToolFolder(toolchain, machine);
}

/** A program of the toolchain, if it was downloaded. */
export function toolchainProgram(name: string, machine: Machine): string | undefined {
  return debianToolProgram(toolchain, machine, name);
}

/** Downloads the toolchain unless it exists, and returns the path of its clang. */
export async function addToolchain(options: DebianOptions): Promise<string | Fault> {
  return addDebianTool(toolchain, options);
}

/** Returns false if it did not exist. */
export async function removeToolchain(machine: Machine): Promise<boolean | Fault> {
  return removeDebianTool(toolchain, machine);
}

async function writeScripts(
  folder: string,
  root: DebianRoot,
  architecture: DebianArchitecture,
): Promise<void> {
  const programs = new Map<string, string>();
  for (const path of root.paths()) {
    const name = path.slice(`${llvm}/bin/`.length);
    // Skips numbered copies; every caller uses the plain name.
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

/** Checks that clang compiles and links on this machine. */
async function testClang(clang: string, { machine, signal }: DebianOptions): Promise<Fault | undefined> {
  const source = Buffer.from('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n');
  const command = argumentList(clang, '-x', 'c', '-', optionWith('-o', `${clang}.tried`));
  const compiled = await runTool(command, machine, { timeoutMs: 120_000, input: source, signal });
  const end =
    compiled instanceof Fault || compiled.exitCode !== 0
      ? compiled
      : await runTool(argumentList(`${clang}.tried`), machine, { timeoutMs: 60_000, signal });
  await rm(`${clang}.tried`, { force: true });
  if (!(end instanceof Fault) && end.exitCode === 0) return undefined;
  const why = end instanceof Fault ? end.message : lastErrorLine(end);
  return environmentFault(`the clang of Debian ${suite} does not work here: ${why}`);
}
