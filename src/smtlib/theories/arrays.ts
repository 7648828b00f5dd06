import { operator, type Theory } from './signature.js';

export const arrays: Theory = {
  name: 'ArraysEx',
  sorts: [{ symbol: 'Array', indices: 0, args: 2 }],
  operators: [
    operator('select', '(Array X Y) X', 'Y'),
    operator('store', '(Array X Y) X Y', '(Array X Y)'),
    // Arrays of more than one index, a Z3 extension.
    operator('select', '(Array X Y Z) X Y', 'Z'),
    operator('store', '(Array X Y Z) X Y Z', '(Array X Y Z)'),
    operator('default', '(Array X Y)', 'Y'),
  ],
};
