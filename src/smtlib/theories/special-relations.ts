import type { Sort } from '../tree.js';
import { type ComputedOperator, sameSort, type Theory } from './signature.js';

const bool: Sort = { symbol: 'Bool', indices: [], args: [] };

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
  name: 'SpecialRelations',
  sorts: [],
  operators: [],
  computed: [
    ...['partial-order', 'linear-order', 'tree-order', 'piecewise-linear-order', 'transitive-closure'],
  ].map(relation),
};
