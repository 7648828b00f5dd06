import { operator, type Theory } from './signature.js';

export const reals: Theory = {
  name: 'Reals',
  sorts: [{ symbol: 'Real', indices: 0, args: 0 }],
  operators: [
    operator('-', 'Real', 'Real'),
    operator('-', 'Real Real', 'Real', { shape: 'left' }),
    operator('+', 'Real Real', 'Real', { shape: 'left' }),
    operator('+', 'Real', 'Real'),
    operator('*', 'Real Real', 'Real', { shape: 'left' }),
    operator('*', 'Real', 'Real'),
    operator('/', 'Real Real', 'Real', { shape: 'left' }),
    operator('<=', 'Real Real', 'Bool', { shape: 'chain' }),
    operator('<', 'Real Real', 'Bool', { shape: 'chain' }),
    operator('>=', 'Real Real', 'Bool', { shape: 'chain' }),
    operator('>', 'Real Real', 'Bool', { shape: 'chain' }),
    operator('abs', 'Real', 'Real'),
    operator('^', 'Real Real', 'Real'),
    operator('real.pi', '', 'Real'),
    operator('pi', '', 'Real'),
    ...['exp', 'sin', 'cos', 'tan', 'csc', 'sec', 'cot', 'arcsin', 'arccos', 'arctan', 'sqrt'].map((name) =>
      operator(name, 'Real', 'Real'),
    ),
  ],
};
