import { operator, type Theory } from './signature.js';

/** cvc5's nullable values; `nullable.lift` takes a function, see `apply-sort.ts`. */
export const nullables: Theory = {
  name: 'Nullables',
  sorts: [{ symbol: 'Nullable', indices: 0, args: 1 }],
  operators: [
    operator('nullable.null', '', '(Nullable X)'),
    // cvc5's default element sort is Bool.
    operator('nullable.null', '', '(Nullable Bool)'),
    operator('nullable.some', 'X', '(Nullable X)'),
    operator('nullable.val', '(Nullable X)', 'X'),
    operator('nullable.is_null', '(Nullable X)', 'Bool'),
    operator('nullable.is_some', '(Nullable X)', 'Bool'),
  ],
};
