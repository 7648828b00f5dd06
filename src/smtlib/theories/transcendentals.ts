import { operator, type Theory } from './signature.js';

/** Transcendental functions and constants under cvc5's and Z3's names. */
export const transcendentals: Theory = {
  name: 'Transcendentals',
  sorts: [],
  operators: [
    ...['real.pi', 'pi', 'euler'].map((name) => operator(name, '', 'Real')),
    ...['exp', 'sin', 'cos', 'tan', 'csc', 'sec', 'cot', 'sqrt'].map((name) =>
      operator(name, 'Real', 'Real'),
    ),
    ...['arcsin', 'arccos', 'arctan', 'arccsc', 'arcsec', 'arccot'].map((name) =>
      operator(name, 'Real', 'Real'),
    ),
    ...['asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'].map((name) =>
      operator(name, 'Real', 'Real'),
    ),
  ],
};
