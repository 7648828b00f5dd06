import { beforeEach, describe, expect, it } from 'vitest';
import { OperatorUsefulness } from '../../src/hunt/search/operator-usefulness.js';
import { formulaOf } from '../simulated/solver.js';

const withLength = formulaOf('(assert (= (str.len x) 3))');
const withCode = formulaOf('(assert (= (str.to_code x) 3))');

let usefulness: OperatorUsefulness;

beforeEach(() => {
  usefulness = new OperatorUsefulness();
});

describe('the usefulness of an operator', () => {
  it('is full as long as nothing is known of it', () => {
    expect(usefulness.of('str.len')).toBe(1);
    usefulness.observe(withCode, false);
    expect(usefulness.of('str.len')).toBe(1);
  });

  it('falls where formulas with it are answered less often than others, though never to nothing', () => {
    for (let i = 0; i < 1000; i++) {
      usefulness.observe(withLength, true);
      usefulness.observe(withCode, false);
    }
    expect(usefulness.of('str.len')).toBe(1);
    expect(usefulness.of('str.to_code')).toBe(0.1);
  });

  it('does not fall for a few failures among many', () => {
    for (let i = 0; i < 3; i++) usefulness.observe(withCode, false);
    for (let i = 0; i < 100; i++) usefulness.observe(withLength, true);
    expect(usefulness.of('str.to_code')).toBeGreaterThan(0.5);
  });

  it('stays where everything fails alike', () => {
    for (let i = 0; i < 1000; i++) usefulness.observe(withCode, false);
    expect(usefulness.of('str.to_code')).toBeCloseTo(1);
  });
});
