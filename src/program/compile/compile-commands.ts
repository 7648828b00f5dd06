/** Turns the calls in a project's `compile_commands.json` into calls that emit IR. */

import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type Argument, Fault, readInputText, usageFault, words } from '../../machine/index.js';
import { type CallSource, readCall, sourceOf } from './compiler-call.js';
import { irArguments } from './ir-arguments.js';
import { splitWords, withResponseFiles } from './response-file.js';

const entriesSchema = z.array(
  z.object({
    directory: z.string(),
    file: z.string(),
    command: z.string().optional(),
    arguments: z.array(z.string()).optional(),
  }),
);

/** A call that emits the IR of one source. */
export interface IrCall {
  /** The path of the source. */
  readonly name: string;
  readonly folder: string;
  /** The words after `clang`. */
  readonly words: readonly Argument[];
}

export interface IrCalls {
  readonly calls: readonly IrCall[];
  /** Sources without IR: assembler, or compiled by a program that is no C compiler. */
  readonly without: readonly string[];
}

/** Compilers with the options of clang; clang runs in their place. */
const compilerName =
  /^(?:[\w.+]+-)*(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|culprit-cc|culprit-c\+\+)(?:-\d[\d.]*)?(?:\.exe)?$/;
/** Programs that run the compiler call in their arguments. */
const launcherName = /^(?:ccache|sccache|distcc|icecc|gomacc)$/;

export async function compileCommands(
  path: string,
  options: { readonly isUnoptimized: boolean },
): Promise<IrCalls | Fault> {
  const text = readInputText(path);
  if (text instanceof Fault) return text;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return usageFault(`${path} is not JSON: ${(error as SyntaxError).message}`);
  }
  const entries = entriesSchema.safeParse(json);
  if (!entries.success)
    return usageFault(
      `${path} is not a list of compile commands: ${z.prettifyError(entries.error).split('\n')[0]}`,
    );
  const calls: IrCall[] = [];
  const without: string[] = [];
  let refused: Fault | undefined;
  for (const entry of entries.data) {
    const folder = resolve(dirname(path), entry.directory);
    const name = resolve(folder, entry.file);
    const [compiler = '', ...callWords] = withoutLaunchers(
      entry.arguments ?? splitWords(entry.command ?? ''),
    );
    if (!compilerName.test(basename(compiler))) {
      refused ??= usageFault(
        `${path} compiles ${entry.file} with ${compiler === '' ? 'nothing' : compiler}, which is not a known C or C++ compiler and is not run`,
      );
      without.push(name);
      continue;
    }
    const call = readCall(withResponseFiles(callWords, folder));
    const source = entrySource(name, folder, call.sources);
    if (source.isAssembly) without.push(name);
    else
      calls.push({
        name,
        folder,
        words: [...driverMode(compiler), ...irArguments(call, source, irOptions(options))],
      });
  }
  return calls.length === 0 && refused !== undefined ? refused : { calls, without };
}

/** A launcher can start another launcher. */
function withoutLaunchers(words: readonly string[]): readonly string[] {
  const compilerAt = words.findIndex((word) => !launcherName.test(basename(word)));
  return compilerAt === -1 ? [] : words.slice(compilerAt);
}

function entrySource(name: string, folder: string, sources: readonly CallSource[]): CallSource {
  const same = sources.find(({ path }) => resolve(folder, path) === name);
  return same ?? sourceOf(name, undefined) ?? { path: name, language: undefined, isAssembly: false };
}

/** By its name, clang compiles `.c` as C or as C++. */
function driverMode(compiler: string): readonly Argument[] {
  return basename(compiler).includes('++') ? [words('--driver-mode=g++')] : [];
}

function irOptions({ isUnoptimized }: { readonly isUnoptimized: boolean }): readonly Argument[] {
  const untouched = words('-Xclang', '-disable-llvm-passes', '-Xclang', '-disable-O0-optnone');
  return [words('-S', '-emit-llvm', '-o', '-'), untouched, ...(isUnoptimized ? [words('-O0')] : [])];
}
