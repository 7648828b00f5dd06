import { isCall, operandsOf } from './instruction.js';
import type { IrModule } from './module.js';
import { readBody } from './reading/read-body.js';
import { nestedValues, type Value } from './value.js';

/** Names of functions whose addresses a module takes, besides calling them. */
export function addressTakenIn(module: IrModule): ReadonlySet<string> {
  const taken = new Set<string>();
  const take = (value: Value): void => {
    if (value.kind === 'local' || value.kind === 'integer') return;
    for (const part of nestedValues(value))
      if (part.kind === 'global' && module.functions.has(part.name)) taken.add(part.name);
  };
  for (const { initializer } of module.globals.values()) if (initializer !== undefined) take(initializer);
  for (const fn of module.functions.values()) {
    if (fn.body === undefined) continue;
    for (const { instructions, terminator } of readBody(module, fn).blocks)
      for (const instruction of [...instructions, terminator]) {
        if (instruction.op === 'debug') continue;
        for (const value of isCall(instruction) ? instruction.arguments : operandsOf(instruction))
          take(value);
      }
  }
  return taken;
}
