import { operator, type Theory } from './signature.js';

/** Finite fields, as cvc5 has them. Orders are larger than any number here, so a field is a sort like others. */
export const finiteFields: Theory = {
  name: 'FiniteFields',
  sorts: [{ symbol: 'FiniteField', indices: 1, args: 0 }],
  operators: [
    ...['ff.add', 'ff.mul', 'ff.bitsum'].map((name) => operator(name, 'X X', 'X', { shape: 'left' })),
    operator('ff.bitsum', 'X', 'X'),
    operator('ff.neg', 'X', 'X'),
  ],
};
