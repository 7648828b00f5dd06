/** Demangles C++ function names with c++filt or llvm-cxxfilt. */

import { argumentList, Fault, findOnPath, type Machine, runTool, thisMachine } from '../../machine/index.js';
import { findLlvmTool } from './llvm-tools.js';

/** `Foo::bar(int)` for `_ZN3Foo3barEi`; other names are returned unchanged. */
export type Demangler = (symbol: string) => string;

interface DemanglerOptions {
  readonly machine?: Machine | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Symbols come from strangers' programs: one of a hundred letters can stand for a declaration of terabytes. */
const limits = { timeoutMs: 30_000, memoryBytes: 2 * 2 ** 30, maxBytes: 256 << 20 };

/** Letters, digits and a few signs: a symbol is one line of input, and one line of output. */
const mangled = /^_Z[\w.$]{1,65536}$/;

/**
 * Reads all symbols with one process. Without a program to read them, or if it fails, names stay mangled.
 *
 * @example
 * const demangle = await demangler(['_ZN3Foo3barEi']);
 * demangle('_ZN3Foo3barEi'); // Foo::bar(int)
 */
export async function demangler(
  symbols: Iterable<string>,
  { machine = thisMachine(), signal }: DemanglerOptions = {},
): Promise<Demangler> {
  const asked = [...new Set(symbols)].filter((symbol) => mangled.test(symbol));
  const filter = asked.length === 0 ? undefined : await findDemangler(machine);
  if (filter === undefined) return unchanged;
  const input = Buffer.from(asked.map((symbol) => `${symbol}\n`).join(''));
  const end = await runTool(argumentList(filter), machine, { ...limits, input, signal });
  if (end instanceof Fault || end.exitCode !== 0) return unchanged;
  const lines = end.stdout.toString('utf8').split('\n');
  if (lines.length !== asked.length + 1) return unchanged;
  const names = new Map(asked.map((symbol, at) => [symbol, withShortNames(lines[at] ?? symbol)]));
  return (symbol) => names.get(symbol) ?? symbol;
}

export async function findDemangler(machine: Machine): Promise<string | undefined> {
  return findOnPath('c++filt', machine) ?? findLlvmTool('llvm-cxxfilt', machine);
}

function unchanged(symbol: string): string {
  return symbol;
}

/** c++filt spells out the standard streams and `std::string`. */
function withShortNames(declaration: string): string {
  return declaration.replaceAll(
    /\bstd::basic_([io]stream|iostream|string)<char, std::char_traits<char>(, std::allocator<char>)? ?>/g,
    'std::$1',
  );
}

/**
 * `Foo::bar` for `Foo::bar(int) const`. Undefined for templates, operators, constructors, destructors, and everything
 * within a function.
 */
export function qualifiedName(declaration: string): string | undefined {
  const plain = declaration.replaceAll(/\(anonymous namespace\)::|\[abi:\w+\]/g, '');
  const [, name] = /^((?:\w+::)*\w+)\(/.exec(plain) ?? [];
  const isOther = plain.includes(')::') || /\boperator$|\b(\w+)::\1$/.test(name ?? '');
  return isOther ? undefined : name;
}
