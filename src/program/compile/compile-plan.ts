/**
 * How culprit-cc changes a call so that its objects contain their IR. The shell script cc.sh, which runs most calls,
 * does the same; a test compares the two.
 */

import { type CompilerCall, isStream, type Option, outputsOf, readCall } from './compiler-call.js';

export interface CompilePlan {
  /** Options at the front, so that options of the call about debug information override them. */
  readonly added: readonly string[];
  /** Files whose bitcode section is renamed after the call. */
  readonly outputs: readonly string[];
  readonly isAssembly: boolean;
}

const unchanged: CompilePlan = { added: [], outputs: [], isAssembly: false };

const otherProgram = /^(?:-cc1|-cc1as|-cc1gen-reproducer|--driver-mode=(?:cl|flang|dxc))$/;
const ownIr = /^(?:-emit-llvm.*|-fembed-bitcode|-fembed-bitcode=all|-fembed-bitcode=bitcode)$/s;

/** @param words the words of the call, with response files expanded */
export function compilePlan(words: readonly string[]): CompilePlan {
  const call = readCall(words);
  const { options, sources, goal } = call;
  const outputs = outputsOf(call);
  const isKept = outputs.length > 0 && !outputs.some(isStream);
  if (!isKept || options.some(([name]) => otherProgram.test(name))) return unchanged;
  if (sources.every(({ isAssembly }) => isAssembly))
    return goal === 'program' ? { ...unchanged, outputs } : unchanged;
  const isIr = options.some((option) => ownIr.test(effectiveOption(option)));
  const embedding = isIr ? [] : ['-Xclang', '-fembed-bitcode=all'];
  // For link-time optimization, -O0 code keeps its attribute optnone: otherwise the link would optimize it.
  const passable = isIr || isLto(call) ? [] : ['-Xclang', '-disable-O0-optnone'];
  return {
    added: ['--start-no-unused-arguments', '-g', ...embedding, ...passable, '--end-no-unused-arguments'],
    outputs: isIr ? [] : outputs,
    isAssembly: goal === 'assembly',
  };
}

/** The option, or the option that `-Xclang` passes on. */
function effectiveOption([name, value = '']: Option): string {
  return name === '-Xclang' ? (value.startsWith('-emit-llvm') ? value : '') : name;
}

function isLto({ options }: CompilerCall): boolean {
  const choices = options.map(([name]) => name).filter((name) => /^-f(?:no-lto|lto|lto=.*)$/s.test(name));
  return (choices.at(-1) ?? '-fno-lto') !== '-fno-lto';
}

const otherFormat = /-apple|darwin|-macos|-ios|-windows|mingw|-cygwin|wasm|-aix/;

/** Whether the objects of a call are ELF files, whose sections every linker keeps. */
export function makesElf(words: readonly string[], platform: string): boolean {
  const targets = readCall(words).options.flatMap(([name, value]) => {
    const joined = /^--target=(.*)$/s.exec(name)?.[1];
    return joined ?? (/^--?target$/.test(name) ? (value ?? []) : []);
  });
  const last = targets.at(-1);
  return last === undefined ? platform !== 'darwin' && platform !== 'win32' : !otherFormat.test(last);
}
