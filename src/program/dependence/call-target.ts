/** What a call goes to, as long as not all modules are known. */

import { type Id, idOf } from '../graph/index.js';

/** A function of a module, by the order in which they were noted. */
export type NotedId = Id<'noted function'>;
/** A name other modules may define. */
export type SymbolId = Id<'symbol'>;
/** The type of a pointer that is called. */
export type PointerTypeId = Id<'pointer type'>;
/** A name whose function is chosen when the program starts. */
export type ChoiceId = Id<'choice'>;

/** One of those, in a number: calls of a program are many. */
export type CallTarget = Id<'call target'>;

export type UnpackedTarget =
  | { readonly kind: 'function'; readonly id: NotedId }
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
