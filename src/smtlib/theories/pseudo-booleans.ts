import type { Sort } from '../tree.js';
import { type ComputedOperator, sameSort, type Theory } from './signature.js';

const bool: Sort = { symbol: 'Bool', indices: [], args: [] };

/** Takes any number of Booleans; the bound and the weights are indices. */
const counting = (name: string): ComputedOperator => ({
  name,
  sortOf: (indices, args) =>
    indices.length > 0 && args.every((arg) => sameSort(arg, bool)) ? bool : undefined,
});

/** Z3's cardinality and pseudo-Boolean constraints: `((_ at-most 2) a b c)`. */
export const pseudoBooleans: Theory = {
  name: 'PseudoBooleans',
  sorts: [],
  operators: [],
  computed: ['at-most', 'at-least', 'pble', 'pbge', 'pbeq'].map(counting),
};
