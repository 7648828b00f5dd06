import { describe, expect, it } from 'vitest';
import { type Kind, KnownKinds } from '../../src/hunt/kind.js';
import { withoutKnownKinds } from '../../src/hunt/strategies/ablation.js';
import { printScript } from '../../src/smtlib/index.js';
import { formulaOf } from '../simulated/solver.js';

const kind = (...operators: readonly string[]): Kind => ({ answer: 'sat', operators, since: 1 });

const left = (assertions: string, ...kinds: readonly Kind[]): string | undefined => {
  const rest = withoutKnownKinds(formulaOf(assertions), new KnownKinds(kinds));
  return rest === undefined ? undefined : (printScript(rest).match(/\(assert .*\)/g) ?? []).join(' ');
};

const order = '(assert (str.< x "a"))';
const place = '(assert (> (str.indexof x "b" 0) 1))';
const both = '(assert (= (str.at x 1) (str.replace x "a" "b")))';

describe('withoutKnownKinds', () => {
  it('drops the assertions that make a known kind', () => {
    expect(left(`${order} ${place} ${both}`, kind('str.<'))).toBe(`${place} ${both}`);
    expect(left(`${order} ${place} ${both}`, kind('str.<'), kind('str.indexof'))).toBe(both);
  });

  it('drops as few assertions as break an operator set', () => {
    expect(left(`${order} ${place} ${order} ${both}`, kind('str.<', 'str.indexof'))).toBe(
      `${order} ${order} ${both}`,
    );
    expect(left(`${order} ${place}`, kind('str.<', 'str.replace'))).toBe(`${order} ${place}`);
  });

  it('returns undefined if no assertion would remain', () => {
    expect(left(`${order} ${order}`, kind('str.<'))).toBeUndefined();
    expect(left(order, kind('str.indexof'))).toBe(order);
  });
});
