import type { SExpr, Sort } from '../tree.js';
import { type ComputedOperator, operators, sameSort, type Theory, unknownSort } from './signature.js';
import { elementsAt, positionsIn, tupleOf } from './tuples.js';

type Collection = 'Set' | 'Bag';

const collectionOf = (symbol: Collection, element: Sort): Sort => ({ symbol, indices: [], args: [element] });

function tupleIn(collection: Collection, sort: Sort | undefined): Sort | undefined {
  const [element] = sort?.symbol === collection ? sort.args : [];
  return element?.symbol === 'Tuple' ? element : undefined;
}

type OnTuples = (indices: readonly SExpr[], tuples: readonly Sort[]) => Sort | undefined;

/** An operator on `count` relations or tables. */
const onAll = (name: string, collection: Collection, count: number, sortOf: OnTuples): ComputedOperator => ({
  name,
  sortOf: (indices, args) => {
    if (args.includes(unknownSort)) return unknownSort;
    const tuples = args.map((arg) => tupleIn(collection, arg)).filter((tuple) => tuple !== undefined);
    return tuples.length === count && args.length === count ? sortOf(indices, tuples) : undefined;
  },
});

const product =
  (collection: Collection): OnTuples =>
  (_, tuples) =>
    collectionOf(collection, tupleOf(tuples.flatMap(({ args }) => args)));

/** Joins on the first relation's last element and the second's first; both are dropped. */
const joined: OnTuples = (_, [left, right]) => {
  const [last, first] = [left?.args.at(-1), right?.args[0]];
  if (left === undefined || right === undefined || last === undefined || first === undefined)
    return undefined;
  if (!sameSort(last, first)) return undefined;
  return collectionOf('Set', tupleOf([...left.args.slice(0, -1), ...right.args.slice(1)]));
};

/** Joins on pairs of positions; all elements are kept. */
const joinedAt =
  (collection: Collection): OnTuples =>
  (indices, tuples) => {
    const positions = positionsIn(indices);
    if (positions === undefined || positions.length % 2 === 1) return undefined;
    return product(collection)(indices, tuples);
  };

const projected =
  (collection: Collection): OnTuples =>
  (indices, [tuple]) => {
    const elements = tuple && elementsAt(tuple, indices);
    return elements && collectionOf(collection, tupleOf(elements));
  };

const grouped =
  (collection: Collection): OnTuples =>
  (indices, [tuple]) =>
    tuple && elementsAt(tuple, indices) && collectionOf(collection, collectionOf(collection, tuple));

/** `((_ rel.aggr i …) f initial r)`: folds f over every group. */
const aggregated = (name: string, collection: Collection): ComputedOperator => ({
  name,
  sortOf: (_, [fold, initial, rows, ...more]) => {
    if (fold === undefined || initial === undefined || rows === undefined || more.length > 0)
      return undefined;
    return rows === unknownSort || tupleIn(collection, rows) !== undefined
      ? collectionOf(collection, initial)
      : undefined;
  },
});

/** cvc5's relations (sets of tuples) and tables (bags of tuples); bare names are CVC4's. */
export const relations: Theory = {
  operators: [
    ...operators('rel.tclosure tclosure', '(Set (Tuple X X))', '(Set (Tuple X X))'),
    ...operators('rel.join_image join_image', '(Set (Tuple X X)) Int', '(Set (Tuple X))'),
    ...operators('rel.iden iden', '(Set (Tuple X))', '(Set (Tuple X X))'),
  ],
  computed: [
    ...['rel.join', 'join'].map((name) => onAll(name, 'Set', 2, joined)),
    ...['rel.product', 'product'].map((name) => onAll(name, 'Set', 2, product('Set'))),
    ...['rel.transpose', 'transpose'].map((name) =>
      onAll(name, 'Set', 1, (_, [tuple]) => tuple && collectionOf('Set', tupleOf(tuple.args.toReversed()))),
    ),
    onAll('rel.table_join', 'Set', 2, joinedAt('Set')),
    onAll('rel.project', 'Set', 1, projected('Set')),
    onAll('rel.group', 'Set', 1, grouped('Set')),
    aggregated('rel.aggr', 'Set'),
    onAll('table.product', 'Bag', 2, product('Bag')),
    onAll('table.join', 'Bag', 2, joinedAt('Bag')),
    onAll('table.project', 'Bag', 1, projected('Bag')),
    onAll('table.group', 'Bag', 1, grouped('Bag')),
    aggregated('table.aggr', 'Bag'),
  ],
};
