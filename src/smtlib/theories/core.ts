import { onlyRead, operator, type Theory } from './signature.js';

export const core: Theory = {
  name: 'Core',
  sorts: [
    { symbol: 'Bool', indices: 0, args: 0 },
    { symbol: '->', indices: 0, args: 2 },
  ],
  operators: [
    operator('true', '', 'Bool'),
    operator('false', '', 'Bool'),
    operator('not', 'Bool', 'Bool'),
    operator('=>', 'Bool Bool', 'Bool', { shape: 'right' }),
    operator('implies', 'Bool Bool', 'Bool', { shape: 'right' }),
    operator('and', 'Bool Bool', 'Bool', { shape: 'left' }),
    operator('or', 'Bool Bool', 'Bool', { shape: 'left' }),
    operator('xor', 'Bool Bool', 'Bool', { shape: 'left' }),
    // Both solvers accept a single argument.
    ...['and', 'or', 'xor'].map((name) => operator(name, 'Bool', 'Bool', onlyRead)),
    operator('distinct', 'X', 'Bool', onlyRead),
    operator('iff', 'Bool Bool', 'Bool', { shape: 'chain' }),
    operator('=', 'X X', 'Bool', { shape: 'chain' }),
    operator('distinct', 'X X', 'Bool', { shape: 'pairwise' }),
    operator('ite', 'Bool X X', 'X'),
    operator('if', 'Bool X X', 'X'),
  ],
};
