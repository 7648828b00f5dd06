import { operator, type Theory } from './signature.js';

/** cvc5's separation logic. */
export const separationLogic: Theory = {
  name: 'Separation_Logic',
  sorts: [],
  operators: [
    operator('sep.emp', '', 'Bool'),
    operator('sep.nil', '', 'X'),
    operator('sep.nil', '', 'Bool'),
    operator('pto', 'X Y', 'Bool'),
    operator('sep', 'Bool Bool', 'Bool', { shape: 'left' }),
    operator('wand', 'Bool Bool', 'Bool'),
  ],
};
