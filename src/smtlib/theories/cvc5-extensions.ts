import { operator, operators, type Theory } from './signature.js';

/** cvc5's nullable values; `nullable.lift` takes a function, see `apply-sort.ts`. */
export const nullables: Theory = {
  sorts: [{ symbol: 'Nullable', indices: 0, args: 1 }],
  operators: [
    operator('nullable.null', '', '(Nullable X)'),
    // cvc5's default element sort is Bool.
    operator('nullable.null', '', '(Nullable Bool)'),
    operator('nullable.some', 'X', '(Nullable X)'),
    operator('nullable.val', '(Nullable X)', 'X'),
    ...operators('nullable.is_null nullable.is_some', '(Nullable X)', 'Bool'),
  ],
};

/** cvc5's finite fields. Orders exceed JavaScript's numbers, so signatures use a plain sort variable. */
export const finiteFields: Theory = {
  sorts: [{ symbol: 'FiniteField', indices: 1, args: 0 }],
  operators: [
    ...operators('ff.add ff.mul ff.bitsum', 'X X', 'X', { shape: 'left' }),
    ...operators('ff.bitsum ff.neg', 'X', 'X'),
  ],
};

/** cvc5's separation logic. */
export const separationLogic: Theory = {
  operators: [
    operator('sep.emp', '', 'Bool'),
    operator('sep.nil', '', 'X'),
    operator('sep.nil', '', 'Bool'),
    operator('pto', 'X Y', 'Bool'),
    operator('sep', 'Bool Bool', 'Bool', { shape: 'left' }),
    operator('wand', 'Bool Bool', 'Bool'),
  ],
};
