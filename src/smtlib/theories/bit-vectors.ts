import { type Operator, onlyRead, operator, type Theory } from './signature.js';

const bits = '(_ BitVec m)';
const two = `${bits} ${bits}`;

const unary = (name: string): Operator => operator(name, bits, bits);
const binary = (name: string): Operator => operator(name, two, bits);
const folded = (name: string): Operator => operator(name, two, bits, { shape: 'left' });
const compared = (name: string): Operator => operator(name, two, 'Bool');

export const bitVectors: Theory = {
  sorts: [{ symbol: 'BitVec', indices: 1, args: 0 }],
  operators: [
    operator('concat', '(_ BitVec m) (_ BitVec n)', '(_ BitVec m+n)'),
    operator('extract', bits, '(_ BitVec i-j+1)', {
      indices: ['i', 'j'],
      where: (bound) => number(bound, 'm') > number(bound, 'i') && number(bound, 'i') >= number(bound, 'j'),
    }),
    ...['bvnot', 'bvneg'].map(unary),
    ...['bvand', 'bvor', 'bvxor', 'bvadd', 'bvmul'].map(folded),
    ...['bvsub', 'bvudiv', 'bvurem', 'bvsdiv', 'bvsrem', 'bvsmod', 'bvshl', 'bvlshr', 'bvashr'].map(binary),
    ...['bvnand', 'bvnor', 'bvxnor', 'ext_rotate_left', 'ext_rotate_right'].map(binary),
    ...['bvult', 'bvule', 'bvugt', 'bvuge', 'bvslt', 'bvsle', 'bvsgt', 'bvsge'].map(compared),
    ...['bvuaddo', 'bvsaddo', 'bvumulo', 'bvsmulo', 'bvusubo', 'bvssubo', 'bvsdivo'].map(compared),
    operator('bvnego', bits, 'Bool'),
    // Z3 also accepts a single argument.
    ...['bvand', 'bvor', 'bvxor', 'bvadd', 'bvmul'].map((name) => operator(name, bits, bits, onlyRead)),
    ...['bvsmod_i', 'bvsdiv_i', 'bvudiv_i', 'bvsrem_i', 'bvurem_i'].map(binary),
    ...['bvsdiv0', 'bvudiv0', 'bvsrem0', 'bvurem0', 'bvsmod0'].map(unary),
    ...['bvumul_noovfl', 'bvsmul_noovfl', 'bvsmul_noudfl'].map(compared),
    operator('bvite', '(_ BitVec 1) X X', 'X'),
    operator('bvcomp', two, '(_ BitVec 1)'),
    operator('bvredor', bits, '(_ BitVec 1)'),
    operator('bvredand', bits, '(_ BitVec 1)'),
    operator('repeat', bits, '(_ BitVec i*m)', { indices: ['i'], where: (bound) => number(bound, 'i') >= 1 }),
    operator('zero_extend', bits, '(_ BitVec m+i)', { indices: ['i'] }),
    operator('sign_extend', bits, '(_ BitVec m+i)', { indices: ['i'] }),
    operator('rotate_left', bits, bits, { indices: ['i'] }),
    operator('rotate_right', bits, bits, { indices: ['i'] }),
    operator('bv2nat', bits, 'Int'),
    operator('bv2int', bits, 'Int'),
    operator('sbv_to_int', bits, 'Int'),
    operator('bit2bool', bits, 'Bool', { indices: ['i'] }),
    operator('int2bv', 'Int', '(_ BitVec m)', { indices: ['m'] }),
  ],
};

function number(bound: ReadonlyMap<string, number>, name: string): number {
  return bound.get(name) ?? Number.NaN;
}
