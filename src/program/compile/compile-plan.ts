/**
 * What culprit-cc does about a call so that its objects hold their IR. The shell script that does most calls says the
 * same; a test holds the two together.
 */

import { type CompilerCall, isLost, madeBy, type Option, readCall } from './compiler-call.js';

export interface CompilePlan {
  /** Options that go in front, so that whatever the call itself says about debug information has the last word. */
  readonly added: readonly string[];
  /** Files in which the bitcode is to be hidden afterwards. */
  readonly made: readonly string[];
  readonly isAssembly: boolean;
}

const asItIs: CompilePlan = { added: [], made: [], isAssembly: false };

const otherProgram = /^(?:-cc1|-cc1as|-cc1gen-reproducer|--driver-mode=(?:cl|flang|dxc))$/;
const ownIr = /^(?:-emit-llvm.*|-fembed-bitcode|-fembed-bitcode=all|-fembed-bitcode=bitcode)$/s;

/** Words as they are with those out of files of options in their place. */
export function compilePlan(words: readonly string[]): CompilePlan {
  const call = readCall(words);
  const { options, sources, goal } = call;
  const made = madeBy(call);
  const isKept = made.length > 0 && !made.some(isLost);
  if (!isKept || options.some(([name]) => otherProgram.test(name))) return asItIs;
  if (sources.every(({ isAssembly }) => isAssembly)) return goal === 'program' ? { ...asItIs, made } : asItIs;
  const isIr = options.some((option) => ownIr.test(meant(option)));
  const embedding = isIr ? [] : ['-Xclang', '-fembed-bitcode=all'];
  // Without its mark, code that was not to be optimized would be optimized when it is linked.
  const passable = isIr || isForLinkTime(call) ? [] : ['-Xclang', '-disable-O0-optnone'];
  return {
    added: ['--start-no-unused-arguments', '-g', ...embedding, ...passable, '--end-no-unused-arguments'],
    made: isIr ? [] : made,
    isAssembly: goal === 'assembly',
  };
}

/** What an option says, or says past the driver. */
function meant([name, value = '']: Option): string {
  return name === '-Xclang' ? (value.startsWith('-emit-llvm') ? value : '') : name;
}

function isForLinkTime({ options }: CompilerCall): boolean {
  const choices = options.map(([name]) => name).filter((name) => /^-f(?:no-lto|lto|lto=.*)$/s.test(name));
  return (choices.at(-1) ?? '-fno-lto') !== '-fno-lto';
}

const otherFormat = /-apple|darwin|-macos|-ios|-windows|mingw|-cygwin|wasm|-aix/;

/** Whether the objects of a call are ELF files, in which a section goes through every linker. */
export function makesElf(words: readonly string[], platform: string): boolean {
  const targets = readCall(words).options.flatMap(([name, value]) => {
    const joined = /^--target=(.*)$/s.exec(name)?.[1];
    return joined ?? (/^--?target$/.test(name) ? (value ?? []) : []);
  });
  const last = targets.at(-1);
  return last === undefined ? platform !== 'darwin' && platform !== 'win32' : !otherFormat.test(last);
}
