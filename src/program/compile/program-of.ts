/** Obtains the IR of a whole program from its build. */

import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  bytesOfFile,
  cacheFolder,
  environmentFault,
  Fault,
  type Machine,
  thisMachine,
  usageFault,
} from '../../machine/index.js';
import { findClang, identityOf } from './clang.js';
import { compileCommands } from './compile-commands.js';
import { concurrentInOrder } from './concurrent-in-order.js';
import { type EmbeddedModule, embeddedIr } from './embedded-ir.js';
import { IrCache } from './ir-cache.js';
import { irOfBitcode } from './ir-of-bitcode.js';
import { irOfSource } from './ir-of-source.js';
import { moduleSource } from './module-source.js';
import { idOfBitcode } from './trace/module-id.js';

/** A module of LLVM's IR as text. */
export interface ModuleText {
  /** The source file, with its full path if the IR has it. */
  readonly name: string;
  /** Where it was found, by the name a linker uses: `prog`, `a.o`, `libz.a(inflate.o)`. */
  readonly from: string;
  readonly text: string;
  /** Its name in recordings of runs; undefined if it was compiled on demand. */
  readonly id: string | undefined;
}

export interface BuiltProgram {
  /** Number of modules. */
  readonly size: number;
  /** Objects and sources without IR: assembler, or compiled by another compiler. */
  readonly without: readonly string[];
  /** In link order, with a fault for each module that cannot be read. Can be called repeatedly. */
  modules(signal?: AbortSignal): AsyncIterable<ModuleText | Fault>;
}

export interface BuiltProgramOptions {
  readonly machine?: Machine | undefined;
  /** Number of modules in parallel. */
  readonly jobs?: number | undefined;
  /** For `compile_commands.json`: compile without optimization, whatever the commands say. */
  readonly isUnoptimized?: boolean | undefined;
}

/**
 * The modules of an executable, library, object or archive of culprit-cc, or of all sources in a
 * `compile_commands.json`.
 *
 * @example const program = await programOf('build/grep'); if (program instanceof Fault) throw new
 * Error(program.message); for await (const module of program.modules()) if (!(module instanceof Fault))
 * console.log(module.name, readModule(module.text).functions.size);
 */
export async function programOf(
  path: string,
  options: BuiltProgramOptions = {},
): Promise<BuiltProgram | Fault> {
  const { machine = thisMachine(), jobs = availableParallelism() } = options;
  const file = resolve(machine.cwd, path);
  const clang = await findClang(machine);
  if (clang instanceof Fault) return clang;
  const sources = basename(file).endsWith('.json')
    ? await modulesOfCommands(file, clang, machine, options.isUnoptimized ?? false)
    : await modulesOfFile(file, clang, machine);
  if (sources instanceof Fault) return sources;
  const { makers: readers, without } = sources;
  return { size: readers.length, without, modules: (signal) => concurrentInOrder(readers, jobs, signal) };
}

/** The IR of several programs as large as a solver. */
const maxCacheBytes = 4 * 2 ** 30;

type ModuleReader = (signal: AbortSignal) => Promise<ModuleText | Fault>;

/** Functions that read the modules of a program. */
interface ModuleSources {
  readonly makers: readonly ModuleReader[];
  readonly without: readonly string[];
}

async function modulesOfCommands(
  path: string,
  clang: string,
  machine: Machine,
  isUnoptimized: boolean,
): Promise<ModuleSources | Fault> {
  const commands = await compileCommands(path, { isUnoptimized });
  if (commands instanceof Fault) return commands;
  const { calls, without } = commands;
  if (calls.length === 0) return usageFault(`${path} compiles no source to LLVM IR`);
  const makers = calls.map(
    (call): ModuleReader =>
      async (signal) => {
        const text = await irOfSource(call, clang, machine, signal);
        return text instanceof Fault ? text : { name: call.name, from: path, text, id: undefined };
      },
  );
  return { makers, without };
}

async function modulesOfFile(path: string, clang: string, machine: Machine): Promise<ModuleSources | Fault> {
  const ir = await embeddedIr(path);
  if (ir instanceof Fault) return ir;
  const { modules, without } = ir;
  const cache = new IrCache(join(cacheFolder(machine), 'ir'));
  await cache.pruneIfDue(maxCacheBytes);
  const reader = await identityOf(clang);
  const makers = modules.map(
    (module): ModuleReader =>
      async (signal) => {
        const bitcode = await readBitcode(module);
        if (bitcode instanceof Fault) return bitcode;
        const key = cache.keyOf(bitcode, reader);
        let text: string | Fault | undefined = await cache.get(key);
        if (text === undefined) {
          text = await irOfBitcode(bitcode, module.from, clang, machine, signal);
          if (text instanceof Fault) return text;
          await cache.put(key, text);
        }
        const { from } = module;
        return { name: moduleSource(text) ?? from, from, text, id: idOfBitcode(bitcode) };
      },
  );
  return { makers, without };
}

async function readBitcode({ file, start, size }: EmbeddedModule): Promise<Buffer | Fault> {
  try {
    const handle = await open(file);
    try {
      const content = await (await bytesOfFile(handle)).read(start, size);
      if (content.length === size) return content;
    } finally {
      await handle.close();
    }
  } catch {
    // Reported below.
  }
  return environmentFault(`${file} was changed while it was read: try again`);
}
