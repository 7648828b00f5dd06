import { onlyRead, operator, type Theory } from './signature.js';

/** What Reals_Ints has beyond the two theories it joins. */
export const realsInts: Theory = {
  name: 'Reals_Ints',
  sorts: [],
  operators: [
    operator('to_real', 'Int', 'Real'),
    // Both solvers let it pass where there is nothing to do.
    operator('to_real', 'Real', 'Real', onlyRead),
    operator('to_int', 'Real', 'Int'),
    operator('is_int', 'Real', 'Bool'),
  ],
};
