import { beforeEach, describe, expect, it } from 'vitest';
import { OperatorUsefulness } from '../../src/hunt/search/operator-usefulness.js';
import { formulaOf } from '../simulated/solver.js';

const withLength = formulaOf('(assert (= (str.len x) 3))');
const withCode = formulaOf('(assert (= (str.to_code x) 3))');

let usefulness: OperatorUsefulness;

beforeEach(() => {
  usefulness = new OperatorUsefulness();
});

describe('OperatorUsefulness', () => {
  it('is 1 for unknown operators', () => {
    expect(usefulness.of('str.len')).toBe(1);
    usefulness.observe(withCode, false);
    expect(usefulness.of('str.len')).toBe(1);
  });

  it('falls, to a minimum, if formulas with the operator are answered less often', () => {
    for (let i = 0; i < 1000; i++) {
      usefulness.observe(withLength, true);
      usefulness.observe(withCode, false);
    }
    expect(usefulness.of('str.len')).toBe(1);
    expect(usefulness.of('str.to_code')).toBe(0.1);
  });

  it('stays high after a few failures among many successes', () => {
    for (let i = 0; i < 3; i++) usefulness.observe(withCode, false);
    for (let i = 0; i < 100; i++) usefulness.observe(withLength, true);
    expect(usefulness.of('str.to_code')).toBeGreaterThan(0.5);
  });

  it('stays 1 if all operators fail equally', () => {
    for (let i = 0; i < 1000; i++) usefulness.observe(withCode, false);
    expect(usefulness.of('str.to_code')).toBeCloseTo(1);
  });
});
