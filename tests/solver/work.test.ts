import { describe, expect, it } from 'vitest';
import { families } from '../../src/solver/families/index.js';
import { workCountersIn } from '../../src/solver/families/work.js';

describe('workCountersIn', () => {
  it('returns the counters in descending order', () => {
    expect(
      Object.entries(workCountersIn('(:seq-add-axiom 51\n :seq-branch 27974)', families.z3) ?? {}),
    ).toEqual([
      ['seq-branch', 27974],
      ['seq-add-axiom', 51],
    ]);
  });

  it('puts counters that only increase with others last', () => {
    const work = workCountersIn('(:seq-num-reductions 2252 :seq-add-axiom 451 :seq-branch 930)', families.z3);
    expect(Object.keys(work ?? {})).toEqual(['seq-branch', 'seq-add-axiom', 'seq-num-reductions']);
  });

  it('omits counters of every search and numbers that are no counts', () => {
    const statistics =
      '(:added-eqs 216 :arith-eq-adapter 31 :arith-bound-propagations-cheap 13 :binary-propagations 2 :conflicts 18' +
      ' :decisions 43 :del-clause 21 :final-checks 27979 :max-memory 18.99 :memory 18.64 :mk-bool-var 170' +
      ' :num-allocs 1234567 :num-checks 2 :propagations 34 :rlimit-count 1052134 :seq-branch 27974' +
      ' :time 1.50 :total-time 1.51)';
    expect(workCountersIn(statistics, families.z3)).toEqual({ 'seq-branch': 27974 });
  });

  it('returns the six highest, equal ones by name', () => {
    const names = ['seq-h', 'seq-g', 'seq-f', 'seq-e', 'seq-d', 'seq-c', 'seq-b', 'seq-a'];
    const work = workCountersIn(`(${names.map((name) => `:${name} 5`).join(' ')} :seq-zero 0)`, families.z3);
    expect(Object.keys(work ?? {})).toEqual(['seq-a', 'seq-b', 'seq-c', 'seq-d', 'seq-e', 'seq-f']);
  });

  it('is undefined without counters', () => {
    expect(workCountersIn('', families.z3)).toBeUndefined();
    expect(workCountersIn('(:decisions 12)', families.z3)).toBeUndefined();
    expect(workCountersIn('(:seq-branch 12)', families.cvc5)).toBeUndefined();
  });
});
