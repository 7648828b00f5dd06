/** What runs without being called by the program, in the order it does. */

import type { FunctionId } from '../graph/index.js';
import { type Program, partsOf } from '../ir/index.js';

export interface Stage {
  readonly functions: readonly FunctionId[];
  /** They run in any order and any number of times. */
  readonly repeats: boolean;
}

/**
 * Constructors, `main`, and what runs at the end. Constructors come in an order the linker knows; here they may come
 * in any.
 *
 * @param open functions that code outside calls as it likes; where there is no `main` they are all there is
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

/** The functions that the lists of a name have in all modules. */
export function functionsIn(program: Program, list: string): readonly FunctionId[] {
  const found = new Set<FunctionId>();
  for (const module of program.modules) {
    const listed = module.globals.get(list)?.initializer;
    for (const part of listed === undefined ? [] : partsOf(listed)) {
      const fn = part.kind === 'global' ? program.find(module, part.name) : undefined;
      if (fn !== undefined) found.add(fn.id);
    }
  }
  return [...found];
}
