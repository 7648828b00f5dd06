import type { FlowFunction } from '../program/flow.js';

/**
 * For each block of each function the functions its calls may mean: the one of that name in the same file, else those
 * of that name elsewhere, else methods of that name where the call does not say of which class.
 */
export function callTargets(functions: readonly FlowFunction[]): (readonly number[])[][] {
  const byName = new Map<string, number[]>();
  const byMember = new Map<string, number[]>();
  for (const [at, { name }] of functions.entries()) {
    put(byName, name, at);
    const member = name.slice(name.lastIndexOf('::') + 2);
    if (name.includes('::')) put(byMember, member, at);
  }
  const targetsOf = (name: string, file: string): readonly number[] => {
    const all = byName.get(name) ?? byMember.get(name.slice(name.lastIndexOf(':') + 1)) ?? [];
    const own = all.filter((at) => functions[at]?.file === file);
    return own.length > 0 ? own : all;
  };
  return functions.map(({ file, blocks }) =>
    blocks.map(({ calls }) => [...new Set(calls.flatMap((name) => targetsOf(name, file)))]),
  );
}

function put(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
