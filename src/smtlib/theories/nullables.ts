import { operator, type Theory } from './signature.js';

/** Values that may be missing, as cvc5 has them; `nullable.lift` takes a function, see `apply-sort.ts`. */
export const nullables: Theory = {
  name: 'Nullables',
  sorts: [{ symbol: 'Nullable', indices: 0, args: 1 }],
  operators: [
    operator('nullable.null', '', '(Nullable X)'),
    // Where nothing says of what, cvc5 takes it to be of Booleans.
    operator('nullable.null', '', '(Nullable Bool)'),
    operator('nullable.some', 'X', '(Nullable X)'),
    operator('nullable.val', '(Nullable X)', 'X'),
    operator('nullable.is_null', '(Nullable X)', 'Bool'),
    operator('nullable.is_some', '(Nullable X)', 'Bool'),
  ],
};
