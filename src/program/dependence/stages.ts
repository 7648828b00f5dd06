/** Code that runs without a call from the program, in execution order. */

import type { FunctionId } from '../graph/index.js';
import { nestedValues, type Program } from '../ir/index.js';

export interface Stage {
  readonly functions: readonly FunctionId[];
  /** They run in any order and any number of times. */
  readonly repeats: boolean;
}

/**
 * Constructors, `main`, exit handlers. The linker orders constructors; here they may run in any order.
 *
 * @param open functions that external code may call; they replace a missing `main`
 */
export function stagesOf(
  program: Program,
  main: FunctionId | undefined,
  open: readonly FunctionId[],
  atEnd: readonly FunctionId[],
): readonly Stage[] {
  return [
    { functions: functionsIn(program, 'llvm.global_ctors'), repeats: true },
    main === undefined ? { functions: open, repeats: true } : { functions: [main], repeats: false },
    { functions: atEnd, repeats: true },
  ];
}

/** The functions in all modules' lists of this name. */
export function functionsIn(program: Program, list: string): readonly FunctionId[] {
  const functions = new Set<FunctionId>();
  for (const module of program.modules) {
    const listed = module.globals.get(list)?.initializer;
    for (const part of listed === undefined ? [] : nestedValues(listed)) {
      const fn = part.kind === 'global' ? program.find(module, part.name) : undefined;
      if (fn !== undefined) functions.add(fn.id);
    }
  }
  return [...functions];
}
