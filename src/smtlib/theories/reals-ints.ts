import { onlyRead, operator, type Theory } from './signature.js';

/** The operators of Reals_Ints that neither Ints nor Reals has. */
export const realsInts: Theory = {
  name: 'Reals_Ints',
  sorts: [],
  operators: [
    operator('to_real', 'Int', 'Real'),
    // Both solvers accept this no-op.
    operator('to_real', 'Real', 'Real', onlyRead),
    operator('to_int', 'Real', 'Int'),
    operator('is_int', 'Real', 'Bool'),
  ],
};
