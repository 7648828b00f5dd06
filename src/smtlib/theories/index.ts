import { addToList } from '../collections.js';
import { arrays } from './arrays.js';
import { bitVectors } from './bit-vectors.js';
import { core } from './core.js';
import { finiteFields, nullables, separationLogic } from './cvc5-extensions.js';
import { floatingPoint } from './floating-point.js';
import { ints, reals, realsInts, transcendentals } from './numbers.js';
import { relations } from './relations.js';
import { sequences } from './sequences.js';
import { sets } from './sets.js';
import type { ComputedOperator, Operator, SortConstructor, Theory } from './signature.js';
import { strings } from './strings.js';
import { tuples } from './tuples.js';
import { lists, pseudoBooleans, specialRelations } from './z3-extensions.js';

/** All supported theories. To add one, add its table here. */
const theories: readonly Theory[] = [
  ...[core, ints, reals, realsInts, strings, sequences, arrays, bitVectors, floatingPoint],
  ...[sets, tuples, relations, nullables, finiteFields, separationLogic, transcendentals],
  ...[lists, pseudoBooleans, specialRelations],
];

const byName = new Map<string, Operator[]>();
for (const operator of theories.flatMap(({ operators = [] }) => operators))
  addToList(byName, operator.name, operator);

export const operatorsByName: ReadonlyMap<string, readonly Operator[]> = byName;

export const sortsByName: ReadonlyMap<string, SortConstructor> = new Map(
  theories.flatMap((theory) => (theory.sorts ?? []).map((sort) => [sort.symbol, sort])),
);

/** The operators of all theories with a computed sort, by name. */
export const computedByName: ReadonlyMap<string, ComputedOperator> = new Map(
  theories.flatMap((theory) => (theory.computed ?? []).map((operator) => [operator.name, operator])),
);
