import type { FlowFunction } from '../../program/graph/index.js';
import { demangledName } from '../../program/ir/index.js';

/** What a call may go to. */
export interface CallTarget {
  /** One of these, by their places. */
  readonly functions: readonly number[];
  /** No other function is meant. */
  readonly isSure: boolean;
}

/**
 * For each block of each function its calls in their order: to the function of that symbol, else to the one of that name
 * in the same file, else to those of that name elsewhere, else, where the call does not say of which class, to methods of
 * that name, though a class that is not known here may be meant.
 */
export function callTargets(functions: readonly FlowFunction[]): (readonly CallTarget[])[][] {
  const bySymbol = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  const byMember = new Map<string, number[]>();
  for (const [at, { name, symbol }] of functions.entries()) {
    if (symbol !== undefined) put(bySymbol, symbol, at);
    put(byName, name, at);
    if (name.includes('::')) put(byMember, memberOf(name), at);
  }
  const targetOf = (called: string, file: string): CallTarget | undefined => {
    const name = demangledName(called) ?? called;
    const known = bySymbol.get(called) ?? byName.get(name);
    const all = known ?? byMember.get(memberOf(name)) ?? [];
    if (all.length === 0) return undefined;
    const own = all.filter((at) => functions[at]?.file === file);
    return { functions: own.length > 0 ? own : all, isSure: known !== undefined };
  };
  return functions.map(({ file, blocks }) =>
    blocks.map(({ calls }) => calls.flatMap((called) => targetOf(called, file) ?? [])),
  );
}

function memberOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function put(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
