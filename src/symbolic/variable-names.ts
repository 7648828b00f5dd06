/** What variables are called in the source, by the debug information. */

import type { Block, DeclaredVariable, IrModule } from '../program/ir/index.js';

/** By the names of their memory in a function. */
export function localNames({ debug }: IrModule, blocks: readonly Block[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      if (instruction.op !== 'debug' || instruction.record !== 'declare') continue;
      const [place, what] = instruction.operands;
      if (place?.kind !== 'value' || place.value.kind !== 'local' || what?.kind !== 'node') continue;
      const variable = debug.variable(what.id);
      if (variable !== undefined) names.set(place.value.name, variable.name);
    }
  return names;
}

/** By the names they have in the module: variables outside of functions, and static ones. */
export function declaredVariables({ debug, globals }: IrModule): ReadonlyMap<string, DeclaredVariable> {
  const byName = new Map<string, DeclaredVariable>();
  for (const variable of debug.declaredVariables())
    byName.set(variable.linkageName ?? variable.name, variable);
  const found = new Map<string, DeclaredVariable>();
  for (const name of globals.keys()) {
    // A static variable of a function has the function's name in front.
    const declared = byName.get(name) ?? byName.get(name.slice(name.lastIndexOf('.') + 1));
    if (declared !== undefined) found.set(name, declared);
  }
  return found;
}
