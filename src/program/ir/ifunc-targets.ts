/** GNU indirect functions (ifuncs): a resolver chooses the implementation when the program starts. */

import { calledName } from './called-name.js';
import { operandsOf } from './instruction.js';
import type { Ifunc, IrModule } from './module.js';
import { readBody } from './reading/read-body.js';
import { readUnknown } from './reading/read-unknown.js';
import { nestedValues } from './value.js';

/** The possible targets: all functions that the resolver mentions without calling them. */
export function ifuncTargets(module: IrModule, { resolver }: Ifunc): readonly string[] {
  const name = calledName(resolver);
  const fn = name === undefined ? undefined : module.functions.get(name);
  if (fn === undefined) return [];
  const names = new Set<string>();
  for (const { instructions, terminator } of readBody(module, fn).blocks)
    for (const instruction of [...instructions, terminator]) {
      if (instruction.op === 'unknown')
        for (const global of readUnknown(instruction.text).names) names.add(global);
      for (const operand of 'callee' in instruction ? instruction.arguments : operandsOf(instruction))
        for (const part of nestedValues(operand)) if (part.kind === 'global') names.add(part.name);
    }
  return [...names].filter((choice) => module.functions.has(choice) || module.aliases.has(choice));
}
