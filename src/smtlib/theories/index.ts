import { arrays } from './arrays.js';
import { bitVectors } from './bit-vectors.js';
import { core } from './core.js';
import { floatingPoint } from './floating-point.js';
import { ints } from './ints.js';
import { reals } from './reals.js';
import { realsInts } from './reals-ints.js';
import { sequences } from './sequences.js';
import { sets } from './sets.js';
import type { Operator, Theory } from './signature.js';
import { strings } from './strings.js';

/** Every theory culprit knows. Adding one means adding its table here. */
const theories: readonly Theory[] = [
  core,
  ints,
  reals,
  realsInts,
  strings,
  sequences,
  arrays,
  bitVectors,
  floatingPoint,
  sets,
];

/** The operators of all theories by name; several where a name is overloaded. */
export const operatorsByName: ReadonlyMap<string, readonly Operator[]> = byName();

function byName(): Map<string, Operator[]> {
  const found = new Map<string, Operator[]>();
  for (const operator of theories.flatMap((theory) => theory.operators)) {
    const same = found.get(operator.name);
    if (same === undefined) found.set(operator.name, [operator]);
    else same.push(operator);
  }
  return found;
}

/** The sort constructors of all theories by name. */
export const sortsByName: ReadonlyMap<string, { readonly indices: number; readonly args: number }> = new Map(
  theories.flatMap((theory) => theory.sorts.map((sort) => [sort.symbol, sort])),
);
