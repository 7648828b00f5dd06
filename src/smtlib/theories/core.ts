import { onlyRead, operator, operators, type Theory } from './signature.js';

export const core: Theory = {
  sorts: [
    { symbol: 'Bool', indices: 0, args: 0 },
    { symbol: '->', indices: 0, args: 2 },
  ],
  operators: [
    ...operators('true false', '', 'Bool'),
    operator('not', 'Bool', 'Bool'),
    ...operators('=> implies', 'Bool Bool', 'Bool', { shape: 'right' }),
    ...operators('and or xor', 'Bool Bool', 'Bool', { shape: 'left' }),
    // Both solvers accept a single argument.
    ...operators('and or xor', 'Bool', 'Bool', onlyRead),
    operator('distinct', 'X', 'Bool', onlyRead),
    operator('iff', 'Bool Bool', 'Bool', { shape: 'chain' }),
    operator('=', 'X X', 'Bool', { shape: 'chain' }),
    operator('distinct', 'X X', 'Bool', { shape: 'pairwise' }),
    ...operators('ite if', 'Bool X X', 'X'),
  ],
};
