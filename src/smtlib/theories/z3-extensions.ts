import { type Sort, sort } from '../tree.js';
import { type ComputedOperator, operator, operators, sameSort, type Theory } from './signature.js';

/** Z3's built-in lists. */
export const lists: Theory = {
  sorts: [{ symbol: 'List', indices: 0, args: 1 }],
  operators: [
    operator('nil', '', '(List X)'),
    operator('insert', 'X (List X)', '(List X)'),
    operator('head', '(List X)', 'X'),
    operator('tail', '(List X)', '(List X)'),
    ...operators('is-nil is-insert', '(List X)', 'Bool'),
  ],
};

const bool: Sort = sort('Bool');

/** Takes any number of Booleans; the bound and the weights are indices. */
const counting = (name: string): ComputedOperator => ({
  name,
  sortOf: (indices, args) =>
    indices.length > 0 && args.every((arg) => sameSort(arg, bool)) ? bool : undefined,
});

/** Z3's cardinality and pseudo-Boolean constraints: `((_ at-most 2) a b c)`. */
export const pseudoBooleans: Theory = {
  computed: ['at-most', 'at-least', 'pble', 'pbge', 'pbeq'].map(counting),
};

/** A relation given by number or by another relation, over two arguments of the same sort. */
const relation = (name: string): ComputedOperator => ({
  name,
  sortOf: (_, [left, right, ...more]) =>
    left !== undefined && right !== undefined && more.length === 0 && sameSort(left, right)
      ? bool
      : undefined,
});

/** Z3's orders and closures: `((_ partial-order 0) a b)`, `((_ transitive-closure r) a b)`. */
export const specialRelations: Theory = {
  computed: [
    ...['partial-order', 'linear-order', 'tree-order', 'piecewise-linear-order', 'transitive-closure'],
  ].map(relation),
};
