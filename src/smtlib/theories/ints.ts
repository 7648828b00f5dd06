import { onlyRead, operator, type Theory } from './signature.js';

export const ints: Theory = {
  name: 'Ints',
  sorts: [{ symbol: 'Int', indices: 0, args: 0 }],
  operators: [
    operator('-', 'Int', 'Int'),
    // Z3's other name for negation.
    operator('~', 'Int', 'Int', onlyRead),
    operator('-', 'Int Int', 'Int', { shape: 'left' }),
    operator('+', 'Int Int', 'Int', { shape: 'left' }),
    operator('+', 'Int', 'Int'),
    operator('*', 'Int Int', 'Int', { shape: 'left' }),
    operator('*', 'Int', 'Int'),
    operator('div', 'Int Int', 'Int', { shape: 'left' }),
    operator('mod', 'Int Int', 'Int'),
    operator('rem', 'Int Int', 'Int'),
    operator('abs', 'Int', 'Int'),
    operator('<=', 'Int Int', 'Bool', { shape: 'chain' }),
    operator('<', 'Int Int', 'Bool', { shape: 'chain' }),
    operator('>=', 'Int Int', 'Bool', { shape: 'chain' }),
    operator('>', 'Int Int', 'Bool', { shape: 'chain' }),
    operator('divisible', 'Int', 'Bool', { indices: ['n'] }),
    operator('^', 'Int Int', 'Int'),
    operator('^0', 'Int Int', 'Int'),
    operator('int.pow2', 'Int', 'Int'),
    operator('int.log2', 'Int', 'Int'),
    operator('iand', 'Int Int', 'Int', { indices: ['n'] }),
    operator('piand', 'Int Int Int', 'Int'),
    // Division with cvc5's and Z3's semantics for zero.
    ...['div_total', 'mod_total', 'mod0', 'rem0'].map((name) => operator(name, 'Int Int', 'Int')),
    ...['div0', 'mod0', 'rem0'].map((name) => operator(name, 'Int', 'Int')),
  ],
};
