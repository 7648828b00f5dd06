import { operator, type Theory } from './signature.js';

/** Z3's built-in lists. */
export const lists: Theory = {
  name: 'Lists',
  sorts: [{ symbol: 'List', indices: 0, args: 1 }],
  operators: [
    operator('nil', '', '(List X)'),
    operator('insert', 'X (List X)', '(List X)'),
    operator('head', '(List X)', 'X'),
    operator('tail', '(List X)', '(List X)'),
    operator('is-nil', '(List X)', 'Bool'),
    operator('is-insert', '(List X)', 'Bool'),
  ],
};
