import { describe, expect, it } from 'vitest';
import { Hardness } from '../../src/hunt/search/hardness.js';
import { Random } from '../../src/machine/index.js';
import { generate, measure, type Script } from '../../src/smtlib/index.js';
import { formulaOf } from '../simulated/solver.js';

const seen = (formulas: readonly Script[], isHard: (formula: Script) => boolean): Hardness => {
  const hardness = new Hardness();
  for (const formula of formulas) hardness.observe(formula, isHard(formula));
  return hardness;
};

const some = (count: number, seed: number): readonly Script[] => {
  const random = Random.fromSeed(seed);
  return Array.from({ length: count }, () =>
    generate(random, { logic: 'QF_SLIA', assertions: random.between(1, 4), depth: random.between(1, 3) }),
  );
};

const isLarge = (formula: Script): boolean => measure(formula).nodes > 20;
const hasLength = (formula: Script): boolean => measure(formula).operators.has('str.len');

describe('Hardness', () => {
  it('is low before any observation', () => {
    expect(new Hardness().of(formulaOf('(assert (= (str.len x) 3))'))).toBeLessThan(0.2);
  });

  it.each([
    ['its operators', hasLength],
    ['its size', isLarge],
  ])('generalizes by %s to unseen formulas', (_, isHard) => {
    const hardness = seen(some(600, 1), isHard);
    const others = some(300, 2);
    const [hard, easy] = [others.filter(isHard), others.filter((formula) => !isHard(formula))];
    expect(Math.min(hard.length, easy.length)).toBeGreaterThan(20);
    let right = 0;
    for (const one of hard) for (const other of easy) if (hardness.of(one) > hardness.of(other)) right++;
    expect(right / (hard.length * easy.length)).toBeGreaterThan(0.85);
  });

  it('approaches 1 if all formulas are hard, and 0 if none is', () => {
    const formulas = some(300, 3);
    for (const [isHard, end] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const hardness = seen(formulas, () => isHard);
      for (const formula of formulas) expect(Math.abs(hardness.of(formula) - end)).toBeLessThan(0.2);
    }
  });

  it('is a probability for every formula', () => {
    const hardness = seen([formulaOf(''), ...some(50, 4)], () => true);
    expect(hardness.of(formulaOf(''))).toBeGreaterThan(0);
    expect(hardness.of(formulaOf(''))).toBeLessThan(1);
  });
});
