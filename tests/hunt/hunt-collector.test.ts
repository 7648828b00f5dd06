import { describe, expect, it } from 'vitest';
import { HuntCollector } from '../../src/hunt/hunt-collector.js';
import type { Kind } from '../../src/hunt/index.js';
import { eventsOf, ordinary, settingsOf } from '../report/made-campaign.js';

/** The group names of findings with these formulas and kinds. */
function namesOf(...findings: readonly (readonly [formula: string, kind: Kind])[]): readonly string[] {
  const collector = new HuntCollector();
  const made = eventsOf(ordinary).filter((event) => 'slowdown' in event);
  for (const event of made) {
    const [text, kind] = findings['slowdown' in event ? event.slowdown - 1 : 0] ?? [];
    if (text === undefined || kind === undefined) continue;
    collector.add(
      event.event === 'slowdown'
        ? { ...event, text, kind: { ...kind, operators: [...kind.operators] } }
        : event,
    );
  }
  return collector.data(settingsOf(ordinary)).groups.map(({ name }) => name);
}

const declared = '(declare-const x String)(declare-const n Int)';
const kind = (...operators: readonly string[]): Kind => ({ answer: 'sat', operators, since: 1 });
const loop = (...operators: readonly string[]): Kind => ({
  ...kind(...operators),
  busy: { counter: 'seq-branch', isAlone: true },
});

describe('the name of a finding group', () => {
  it('uses the operators of its smallest formula', () => {
    const formula = `${declared}(assert (str.prefixof x (str.from_int n)))(assert (>= n 3))(check-sat)`;
    expect(namesOf([formula, kind('<', 'str.from_int', 'str.suffixof')])).toEqual([
      'str.from_int + str.prefixof with >=',
    ]);
  });

  it('omits operators that the formula does not contain', () => {
    const formula = `${declared}(assert (= x (str.at x n)))(check-sat)`;
    expect(namesOf([formula, kind('str.at', 'str.replace')])).toEqual(['str.at']);
    expect(namesOf([`${declared}(assert (= x "a"))(check-sat)`, kind('str.at')])).toEqual(['plain logic']);
  });

  it('uses the formula’s operators if reduction removed all operators of the kind', () => {
    const formula = `${declared}(assert (str.<= "ab" x))(check-sat)`;
    expect(namesOf([formula, kind('str.at')])).toEqual(['str.<=']);
    expect(namesOf([formula, loop('str.at')])).toEqual(['loop in seq-branch (str.<=)']);
  });

  it('gives the loop and the operator of the shown formula', () => {
    const small = `${declared}(assert (= x (str.at x n)))(check-sat)`;
    const large = `${declared}(assert (= x (str.replace x "a" (str.replace x "b" "c"))))(check-sat)`;
    expect(namesOf([large, loop('str.replace')], [small, loop('str.at')])).toEqual([
      'loop in seq-branch (str.at)',
    ]);
  });

  it('uses the kind’s operators if the formula cannot be parsed', () => {
    expect(namesOf([')(', kind('str.suffixof')])).toEqual(['str.suffixof']);
  });
});
