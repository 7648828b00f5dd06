/** Prints bitcode as text, with clang or else llvm-dis. */

import {
  argumentList,
  type CommandEnd,
  commandWorkspace,
  environmentFault,
  Fault,
  joinedOption,
  type Machine,
  runTool,
  type ToolOptions,
  words,
} from '../../machine/index.js';
import { bitcodeTriple } from './bitcode.js';
import { findNewest, firstError } from './clang.js';

/** Longer texts exceed the length of a string. */
export const maxIrBytes = 500 << 20;
export const compilerTimeoutMs = 600_000;
/** Memory limit of a compiler, because sources come from outside. */
export const maxCompilerMemory = 8 * 2 ** 30;

/** The compiler's temporary files and crash reports are removed with culprit's own. */
export function temporaryEnvironment(): Readonly<Record<string, string>> {
  return { TMPDIR: commandWorkspace().directory };
}

/**
 * The text of a module.
 *
 * @param from where the bitcode comes from, for messages
 */
export async function irOfBitcode(
  bitcode: Buffer,
  from: string,
  clang: string,
  machine: Machine,
  signal: AbortSignal,
): Promise<string | Fault> {
  const env = temporaryEnvironment();
  const options: ToolOptions = {
    timeoutMs: compilerTimeoutMs,
    memoryBytes: maxCompilerMemory,
    input: bitcode,
    env,
    maxBytes: maxIrBytes,
    signal,
  };
  const triple = bitcodeTriple(bitcode);
  const command = argumentList(
    clang,
    '-fno-crash-diagnostics',
    // Otherwise clang changes the module's target to this machine.
    ...(triple === undefined ? [] : [joinedOption('--target=', triple)]),
    words('-x', 'ir', '-S', '-emit-llvm', '-Xclang', '-disable-llvm-passes', '-fno-discard-value-names'),
    words('-w', '-o', '-', '-'),
  );
  const end = await runTool(command, machine, options);
  if (isDone(end)) return end.stdout.toString('utf8');
  const disassembler = await findNewest('llvm-dis', machine);
  if (disassembler !== undefined) {
    const disassembled = await runTool(argumentList(disassembler, '-o', '-', '-'), machine, options);
    if (isDone(disassembled)) return disassembled.stdout.toString('utf8');
  }
  if (end instanceof Fault) return end;
  const hint = 'a clang at least as new as the one that wrote it is needed';
  return environmentFault(`${clang} cannot read the IR in ${from}: ${firstError(end)} (${hint})`);
}

function isDone(end: CommandEnd | Fault): end is CommandEnd {
  return !(end instanceof Fault) && end.exitCode === 0;
}
