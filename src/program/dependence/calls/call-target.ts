/** Targets of calls before all modules are known. */

import { type Id, idOf } from '../../graph/index.js';

/** A function of a module, in the order of `CallGraphBuilder.addCalls`. */
export type ModuleFunctionId = Id<'noted function'>;
export type SymbolId = Id<'symbol'>;
export type PointerTypeId = Id<'pointer type'>;
/** An ifunc: its function is chosen when the program starts. */
export type ChoiceId = Id<'choice'>;

/** Any of these, packed into one number since a program has many calls. */
export type CallTarget = Id<'call target'>;

export type UnpackedTarget =
  | { readonly kind: 'function'; readonly id: ModuleFunctionId }
  | { readonly kind: 'symbol'; readonly id: SymbolId }
  | { readonly kind: 'pointer'; readonly id: PointerTypeId }
  | { readonly kind: 'choice'; readonly id: ChoiceId };

const kinds = ['function', 'symbol', 'pointer', 'choice'] as const;

export function packed({ kind, id }: UnpackedTarget): CallTarget {
  return idOf(id * kinds.length + kinds.indexOf(kind));
}

export function unpacked(target: CallTarget): UnpackedTarget {
  const kind = target % kinds.length;
  const id = (target - kind) / kinds.length;
  switch (kinds[kind]) {
    case 'symbol':
      return { kind: 'symbol', id: idOf(id) };
    case 'pointer':
      return { kind: 'pointer', id: idOf(id) };
    case 'choice':
      return { kind: 'choice', id: idOf(id) };
    default:
      return { kind: 'function', id: idOf(id) };
  }
}
