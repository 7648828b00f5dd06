import { onlyRead, operator, type Theory } from './signature.js';

export const reals: Theory = {
  name: 'Reals',
  sorts: [{ symbol: 'Real', indices: 0, args: 0 }],
  operators: [
    operator('-', 'Real', 'Real'),
    operator('~', 'Real', 'Real', onlyRead),
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
    operator('/_total', 'Real Real', 'Real', { shape: 'left' }),
    operator('/0', 'Real', 'Real'),
  ],
};
