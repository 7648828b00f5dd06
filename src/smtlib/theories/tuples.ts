import type { SExpr, Sort } from '../tree.js';
import { type ComputedOperator, operator, sameSort, type Theory, unknownSort } from './signature.js';

/** Indices as positions from 0; undefined if one is not a number. */
export function positionsIn(indices: readonly SExpr[]): readonly number[] | undefined {
  const positions = indices.map((index) => (index.kind === 'numeral' ? Number(index.text) : Number.NaN));
  return positions.every(Number.isSafeInteger) ? positions : undefined;
}

export function tupleOf(elements: readonly Sort[]): Sort {
  return { symbol: 'Tuple', indices: [], args: elements };
}

/** The elements at these positions; undefined if the tuple is shorter. */
export function elementsAt(tuple: Sort, indices: readonly SExpr[]): readonly Sort[] | undefined {
  const found = positionsIn(indices)?.map((position) => tuple.args[position]);
  return found?.every((element) => element !== undefined) ? found : undefined;
}

const onTuple = (
  name: string,
  sortOf: (indices: readonly SExpr[], tuple: Sort, rest: readonly Sort[]) => Sort | undefined,
): ComputedOperator => ({
  name,
  sortOf: (indices, [tuple, ...rest]) => {
    if (tuple === unknownSort) return unknownSort;
    return tuple?.symbol === 'Tuple' ? sortOf(indices, tuple, rest) : undefined;
  },
});

/** cvc5's tuples: `(tuple 1 "a")`, `((_ tuple.select 0) t)`. Bare names are those of cvc5 up to 1.0. */
export const tuples: Theory = {
  sorts: [{ symbol: 'Tuple', indices: 0, args: 0, takesMore: true }],
  operators: [operator('tuple.unit', '', 'Tuple')],
  computed: [
    ...['tuple', 'mkTuple'].map(
      (name): ComputedOperator => ({ name, sortOf: (_, elements) => tupleOf(elements) }),
    ),
    ...['tuple.select', 'tupSel'].map((name) =>
      onTuple(name, (indices, tuple, rest) =>
        rest.length === 0 && indices.length === 1 ? elementsAt(tuple, indices)?.[0] : undefined,
      ),
    ),
    ...['tuple.update', 'tuple_update'].map((name) =>
      onTuple(name, (indices, tuple, [value, ...more]) => {
        const [element] = elementsAt(tuple, indices) ?? [];
        const fits = element !== undefined && value !== undefined && sameSort(element, value);
        return fits && more.length === 0 ? tuple : undefined;
      }),
    ),
    ...['tuple.project', 'tuple_project'].map((name) =>
      onTuple(name, (indices, tuple) => {
        const elements = elementsAt(tuple, indices);
        return elements && tupleOf(elements);
      }),
    ),
  ],
};
