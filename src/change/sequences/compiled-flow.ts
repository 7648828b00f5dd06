/** Control flow of changed files from the compiler, if it can compile them. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  type Argument,
  Fault,
  type Machine,
  optionWith,
  pathArgument,
  thisMachine,
  words,
  YieldTimer,
} from '../../machine/index.js';
import {
  compileCommands,
  demangler,
  findClang,
  headerOptions,
  type IrCall,
  irOfSource,
  qualifiedName,
  type SourceLimits,
} from '../../program/compile/index.js';
import type { FlowFunction } from '../../program/graph/index.js';
import { addressTakenIn, flowOf, readModule } from '../../program/ir/index.js';
import { isSourceFile } from '../code/code-files.js';
import { pushTo } from '../hunks/collections.js';

export interface CompiledFiles {
  readonly functions: ReadonlyMap<string, readonly FlowFunction[]>;
  /** Names of functions whose addresses are taken in these files. */
  readonly taken: ReadonlySet<string>;
  /** Names in the source of the C++ symbols that are called. */
  readonly sourceNames: ReadonlyMap<string, string>;
  /** One sentence for each file that was not compiled. Such files are parsed as source only. */
  readonly notes: readonly string[];
  readonly compilerMs: number;
}

/** If compilation fails, the source is parsed instead. No file is worth a longer wait or exhausted memory. */
const usualLimits: SourceLimits = { timeoutMs: 60_000, memoryBytes: 4 * 2 ** 30 };

export class FileCompiler {
  private constructor(
    private readonly clang: string,
    private readonly machine: Machine,
    /** Compile calls from the database, by path relative to the database's root. */
    private readonly calls: ReadonlyMap<string, IrCall>,
    private readonly databaseRoot: string,
    private readonly limits: SourceLimits,
  ) {}

  /**
   * @param database the path of a `compile_commands.json`; without one, options are guessed
   * @param root the folder of the sources in the database
   */
  static async make(
    database: string | undefined,
    root: string,
    limits: SourceLimits = usualLimits,
  ): Promise<FileCompiler | Fault> {
    const machine = thisMachine();
    const clang = await findClang(machine);
    if (clang instanceof Fault) return clang;
    const calls = new Map<string, IrCall>();
    if (database !== undefined) {
      const read = await compileCommands(resolve(database), { isUnoptimized: true });
      if (read instanceof Fault) return read;
      for (const call of read.calls) calls.set(relative(resolve(root), call.name), call);
    }
    return new FileCompiler(clang, machine, calls, resolve(root), limits);
  }

  /** @param root the folder of the version to compile; files are relative to it */
  async compile(files: readonly string[], root: string, signal: AbortSignal): Promise<CompiledFiles> {
    const functions = new Map<string, FlowFunction[]>();
    const taken = new Set<string>();
    const notes: string[] = [];
    let compilerMs = 0;
    const yieldTimer = new YieldTimer(signal);
    for (const file of files) {
      if (!isSourceFile(file)) continue;
      const startedAt = performance.now();
      const ir = await irOfSource(this.#callFor(file, root), this.clang, this.machine, signal, this.limits);
      compilerMs += performance.now() - startedAt;
      await yieldTimer.yieldNow();
      if (ir instanceof Fault) {
        notes.push(`${file} is only parsed: ${faultReason(ir)}`);
        continue;
      }
      const module = readModule(ir);
      for (const name of addressTakenIn(module)) taken.add(name);
      const defined = [...module.functions.values()].filter(({ body }) => body !== undefined);
      for (const fn of defined) {
        if (yieldTimer.isDue) await yieldTimer.yieldNow();
        const flow = flowOf(module, fn, root);
        pushTo(functions, flow.file, flow);
      }
      if (defined.length > 0 && !functions.has(file))
        notes.push(`${file} is only parsed: its compiled code comes from other files`);
    }
    const sourceNames = await sourceNamesIn([...functions.values()].flat(), this.machine, signal);
    return { functions, taken, sourceNames, notes, compilerMs };
  }

  #callFor(file: string, root: string): IrCall {
    const name = join(root, file);
    const call = this.calls.get(file);
    if (call === undefined) return { name, folder: root, words: usualWords(file) };
    if (resolve(root) === this.databaseRoot) return call;
    return { name, folder: call.folder, words: this.#wordsFor(call, name, resolve(root)) };
  }

  /**
   * Adapts a compile call to the sources of another version: paths of files and folders point into that version.
   * Header folders are searched there first, and then where the project was built, since that has generated headers.
   */
  #wordsFor({ words, folder, name: source }: IrCall, name: string, root: string): readonly Argument[] {
    const there = (path: string): string => {
      const inside = relative(this.databaseRoot, path);
      return inside.startsWith('..') || isAbsolute(inside) ? path : join(root, inside);
    };
    return words.flatMap((argument) => {
      const [word = '', given = '.'] = argument.words;
      const isSource = argument.words.length === 1 && !word.startsWith('-');
      if (isSource) return [resolve(folder, word) === source ? pathArgument(name) : argument];
      const option = headerOptions.find((known) => known === word);
      if (option === undefined) return [argument];
      const path = resolve(folder, given);
      const found = [...new Set([there(path), path])].filter((candidate) => existsSync(candidate));
      if (option === '-include' || option === '-imacros') return [optionWith(option, found[0] ?? given)];
      return found.map((folderOfHeaders) => optionWith(option, folderOfHeaders));
    });
  }
}

async function sourceNamesIn(
  functions: readonly FlowFunction[],
  machine: Machine,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const called = functions.flatMap(({ blocks }) => blocks.flatMap(({ calls }) => calls));
  const symbols = new Set(called.filter((call) => typeof call === 'string'));
  const demangle = await demangler(symbols, { machine, signal });
  const names = new Map<string, string>();
  for (const symbol of symbols) {
    const name = qualifiedName(demangle(symbol));
    if (name !== undefined) names.set(symbol, name);
  }
  return names;
}

const usualFolders = ['.', 'include', 'inc', 'src', 'lib'];

function usualWords(file: string): readonly Argument[] {
  const folders = new Set([dirname(file), ...usualFolders]);
  return [
    words('-S', '-emit-llvm', '-g', '-O0', '-w', '-Xclang', '-disable-O0-optnone'),
    ...[...folders].map((folder) => optionWith('-I', folder)),
    words('-o', '-', pathArgument(file)),
  ];
}

function faultReason({ message }: Fault): string {
  return message.replace(/^.*? cannot compile .*?: /, '').replace(/\.$/, '');
}
