import { describe, expect, it } from 'vitest';
import { HuntCollector } from '../../src/hunt/hunt-collector.js';
import type { Kind } from '../../src/hunt/index.js';
import { eventsOf, ordinary, settingsOf } from '../report/made-campaign.js';

/** The names of the groups of findings with these formulas, which are of these kinds. */
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

describe('the name of a kind', () => {
  it('has the operators that stand in its smallest formula', () => {
    const formula = `${declared}(assert (str.prefixof x (str.from_int n)))(assert (>= n 3))(check-sat)`;
    expect(namesOf([formula, kind('<', 'str.from_int', 'str.suffixof')])).toEqual([
      'str.from_int + str.prefixof with >=',
    ]);
  });

  it('has none that the formula does without', () => {
    const formula = `${declared}(assert (= x (str.at x n)))(check-sat)`;
    expect(namesOf([formula, kind('str.at', 'str.replace')])).toEqual(['str.at']);
    expect(namesOf([`${declared}(assert (= x "a"))(check-sat)`, kind('str.at')])).toEqual(['plain logic']);
  });

  it('has those of the formula where it was reduced to none of its kind', () => {
    const formula = `${declared}(assert (str.<= "ab" x))(check-sat)`;
    expect(namesOf([formula, kind('str.at')])).toEqual(['str.<=']);
    expect(namesOf([formula, loop('str.at')])).toEqual(['loop in seq-branch (str.<=)']);
  });

  it('says of a loop what leads there in the formula that is shown', () => {
    const small = `${declared}(assert (= x (str.at x n)))(check-sat)`;
    const large = `${declared}(assert (= x (str.replace x "a" (str.replace x "b" "c"))))(check-sat)`;
    expect(namesOf([large, loop('str.replace')], [small, loop('str.at')])).toEqual([
      'loop in seq-branch (str.at)',
    ]);
  });

  it('is as it was told where the formula cannot be read', () => {
    expect(namesOf([')(', kind('str.suffixof')])).toEqual(['str.suffixof']);
  });
});
