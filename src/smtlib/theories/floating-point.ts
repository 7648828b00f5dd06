import { type Operator, operator, type Theory } from './signature.js';

const float = '(_ FloatingPoint e s)';
const indices = ['e', 's'];

const constant = (name: string): Operator => operator(name, '', float, { indices });
const unary = (name: string): Operator => operator(name, float, float);
const rounded = (name: string): Operator => operator(name, `RoundingMode ${float} ${float}`, float);
const compared = (name: string): Operator => operator(name, `${float} ${float}`, 'Bool', { shape: 'chain' });
const tested = (name: string): Operator => operator(name, float, 'Bool');
const mode = (name: string): Operator => operator(name, '', 'RoundingMode');

export const floatingPoint: Theory = {
  sorts: [
    { symbol: 'FloatingPoint', indices: 2, args: 0 },
    { symbol: 'RoundingMode', indices: 0, args: 0 },
  ],
  operators: [
    ...['RNE', 'RNA', 'RTP', 'RTN', 'RTZ'].map(mode),
    ...['roundNearestTiesToEven', 'roundNearestTiesToAway', 'roundTowardPositive'].map(mode),
    ...['roundTowardNegative', 'roundTowardZero'].map(mode),
    ...['+oo', '-oo', '+zero', '-zero', 'NaN'].map(constant),
    operator('fp', '(_ BitVec 1) (_ BitVec e) (_ BitVec m)', '(_ FloatingPoint e m+1)'),
    ...['fp.abs', 'fp.neg'].map(unary),
    ...['fp.add', 'fp.sub', 'fp.mul', 'fp.div'].map(rounded),
    operator('fp.fma', `RoundingMode ${float} ${float} ${float}`, float),
    operator('fp.sqrt', `RoundingMode ${float}`, float),
    operator('fp.roundToIntegral', `RoundingMode ${float}`, float),
    ...['fp.rem', 'fp.min', 'fp.max'].map((name) => operator(name, `${float} ${float}`, float)),
    ...['fp.leq', 'fp.lt', 'fp.geq', 'fp.gt', 'fp.eq'].map(compared),
    ...['fp.isNormal', 'fp.isSubnormal', 'fp.isZero', 'fp.isInfinite', 'fp.isNaN'].map(tested),
    ...['fp.isNegative', 'fp.isPositive'].map(tested),
    operator('to_fp', '(_ BitVec m)', float, { indices, where: (bound) => sum(bound) === bound.get('m') }),
    operator('to_fp', 'RoundingMode (_ FloatingPoint m n)', float, { indices }),
    operator('to_fp', 'RoundingMode Real', float, { indices }),
    operator('to_fp', 'RoundingMode (_ BitVec m)', float, { indices }),
    operator('to_fp', 'RoundingMode Real Int', float, { indices }),
    operator('to_fp_unsigned', 'RoundingMode (_ BitVec m)', float, { indices }),
    operator('to_fp_bv', '(_ BitVec m)', float, { indices }),
    operator('fp.to_ubv', `RoundingMode ${float}`, '(_ BitVec m)', { indices: ['m'] }),
    operator('fp.to_sbv', `RoundingMode ${float}`, '(_ BitVec m)', { indices: ['m'] }),
    operator('fp.to_real', float, 'Real'),
    ...['fp.to_ieee_bv', 'to_ieee_bv'].map((name) => operator(name, float, '(_ BitVec e+s)')),
    operator('to_fp_fp', 'RoundingMode (_ FloatingPoint m n)', float, { indices }),
    operator('to_fp_real', 'RoundingMode Real', float, { indices }),
    operator('to_fp_signed', 'RoundingMode (_ BitVec m)', float, { indices }),
    operator('to_fp', 'RoundingMode Int (_ BitVec m)', float, { indices }),
    operator('to_fp', 'RoundingMode Int Real', float, { indices }),
  ],
};

function sum(bound: ReadonlyMap<string, number>): number {
  return (bound.get('e') ?? Number.NaN) + (bound.get('s') ?? Number.NaN);
}
