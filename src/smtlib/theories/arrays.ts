import { operator, operators, type Theory } from './signature.js';

export const arrays: Theory = {
  sorts: [{ symbol: 'Array', indices: 0, args: 2, takesMore: true }],
  operators: [
    operator('select', '(Array X Y) X', 'Y'),
    operator('store', '(Array X Y) X Y', '(Array X Y)'),
    // Z3 extension: arrays with several indices.
    operator('select', '(Array X Y Z) X Y', 'Z'),
    operator('store', '(Array X Y Z) X Y Z', '(Array X Y Z)'),
    operator('default', '(Array X Y)', 'Y'),
    operator('eqrange', '(Array X Y) (Array X Y) X X', 'Bool'),
    operator('array-ext', '(Array X Y) (Array X Y)', 'X'),
    // Z3's set operators on arrays of Booleans.
    ...operators('union intersection setminus', '(Array X Bool) (Array X Bool)', '(Array X Bool)', {
      shape: 'left',
    }),
    operator('complement', '(Array X Bool)', '(Array X Bool)'),
    operator('subset', '(Array X Bool) (Array X Bool)', 'Bool'),
  ],
};
