import { arrays } from './arrays.js';
import { bitVectors } from './bit-vectors.js';
import { core } from './core.js';
import { finiteFields } from './finite-fields.js';
import { floatingPoint } from './floating-point.js';
import { ints } from './ints.js';
import { lists } from './lists.js';
import { nullables } from './nullables.js';
import { pseudoBooleans } from './pseudo-booleans.js';
import { reals } from './reals.js';
import { realsInts } from './reals-ints.js';
import { relations } from './relations.js';
import { separationLogic } from './separation-logic.js';
import { sequences } from './sequences.js';
import { sets } from './sets.js';
import type { ComputedOperator, Operator, SortConstructor, Theory } from './signature.js';
import { specialRelations } from './special-relations.js';
import { strings } from './strings.js';
import { transcendentals } from './transcendentals.js';
import { tuples } from './tuples.js';

/** All supported theories. To add one, add its table here. */
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
  tuples,
  relations,
  nullables,
  finiteFields,
  separationLogic,
  transcendentals,
  lists,
  pseudoBooleans,
  specialRelations,
];

/** The operators of all theories by name, including overloads. */
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

export const sortsByName: ReadonlyMap<string, SortConstructor> = new Map(
  theories.flatMap((theory) => theory.sorts.map((sort) => [sort.symbol, sort])),
);

/** The operators of all theories with a computed sort, by name. */
export const computedByName: ReadonlyMap<string, ComputedOperator> = new Map(
  theories.flatMap((theory) => (theory.computed ?? []).map((operator) => [operator.name, operator])),
);
