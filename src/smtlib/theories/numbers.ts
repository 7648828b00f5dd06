import { type Operator, onlyRead, operator, operators, type Theory } from './signature.js';

const comparisons = (sort: string): readonly Operator[] =>
  operators('<= < >= >', `${sort} ${sort}`, 'Bool', { shape: 'chain' });

export const ints: Theory = {
  sorts: [{ symbol: 'Int', indices: 0, args: 0 }],
  operators: [
    operator('-', 'Int', 'Int'),
    // Z3's other name for negation.
    operator('~', 'Int', 'Int', onlyRead),
    ...operators('- + * div', 'Int Int', 'Int', { shape: 'left' }),
    ...operators('+ *', 'Int', 'Int'),
    ...operators('mod rem', 'Int Int', 'Int'),
    operator('abs', 'Int', 'Int'),
    ...comparisons('Int'),
    operator('divisible', 'Int', 'Bool', { indices: ['n'] }),
    ...operators('^ ^0', 'Int Int', 'Int'),
    ...operators('int.pow2 int.log2', 'Int', 'Int'),
    operator('iand', 'Int Int', 'Int', { indices: ['n'] }),
    operator('piand', 'Int Int Int', 'Int'),
    // Division with cvc5's and Z3's semantics for zero.
    ...operators('div_total mod_total mod0 rem0', 'Int Int', 'Int'),
    ...operators('div0 mod0 rem0', 'Int', 'Int'),
  ],
};

export const reals: Theory = {
  sorts: [{ symbol: 'Real', indices: 0, args: 0 }],
  operators: [
    operator('-', 'Real', 'Real'),
    operator('~', 'Real', 'Real', onlyRead),
    ...operators('- + * /', 'Real Real', 'Real', { shape: 'left' }),
    ...operators('+ *', 'Real', 'Real'),
    ...comparisons('Real'),
    operator('abs', 'Real', 'Real'),
    operator('^', 'Real Real', 'Real'),
    operator('/_total', 'Real Real', 'Real', { shape: 'left' }),
    operator('/0', 'Real', 'Real'),
  ],
};

/** The operators of Reals_Ints that neither Ints nor Reals has. */
export const realsInts: Theory = {
  operators: [
    operator('to_real', 'Int', 'Real'),
    // Both solvers accept this no-op.
    operator('to_real', 'Real', 'Real', onlyRead),
    operator('to_int', 'Real', 'Int'),
    operator('is_int', 'Real', 'Bool'),
  ],
};

/** Transcendental functions and constants under cvc5's and Z3's names. */
export const transcendentals: Theory = {
  operators: [
    ...operators('real.pi pi euler', '', 'Real'),
    ...operators('exp sin cos tan csc sec cot sqrt', 'Real', 'Real'),
    ...operators('arcsin arccos arctan arccsc arcsec arccot', 'Real', 'Real'),
    ...operators('asin acos atan sinh cosh tanh asinh acosh atanh', 'Real', 'Real'),
  ],
};
