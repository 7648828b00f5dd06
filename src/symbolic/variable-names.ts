import type { Block, DeclaredVariable, IrModule } from '../program/ir/index.js';

/** Source names of local variables, by the names of their memory. */
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

/** Global and static variables, by their names in the module. */
export function declaredVariables({ debug, globals }: IrModule): ReadonlyMap<string, DeclaredVariable> {
  const byName = new Map<string, DeclaredVariable>();
  for (const variable of debug.declaredVariables())
    byName.set(variable.linkageName ?? variable.name, variable);
  const found = new Map<string, DeclaredVariable>();
  for (const name of globals.keys()) {
    // The name of a static local variable begins with the name of the function.
    const declared = byName.get(name) ?? byName.get(name.slice(name.lastIndexOf('.') + 1));
    if (declared !== undefined) found.set(name, declared);
  }
  return found;
}
