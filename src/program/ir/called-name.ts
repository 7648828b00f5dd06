import type { Value } from './value.js';

/** The name of the called function. Old C casts functions before it calls them. */
export function calledName(callee: Value): string | undefined {
  if (callee.kind === 'global') return callee.name;
  if (callee.kind === 'expression' && callee.operator === 'bitcast' && callee.operands[0] !== undefined)
    return calledName(callee.operands[0]);
  return undefined;
}
