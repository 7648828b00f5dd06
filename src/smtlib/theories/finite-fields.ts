import { operator, type Theory } from './signature.js';

/** cvc5's finite fields. Orders exceed JavaScript's numbers, so a field is a plain sort variable here. */
export const finiteFields: Theory = {
  name: 'FiniteFields',
  sorts: [{ symbol: 'FiniteField', indices: 1, args: 0 }],
  operators: [
    ...['ff.add', 'ff.mul', 'ff.bitsum'].map((name) => operator(name, 'X X', 'X', { shape: 'left' })),
    operator('ff.bitsum', 'X', 'X'),
    operator('ff.neg', 'X', 'X'),
  ],
};
