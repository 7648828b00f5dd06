import { describe, expect, it } from 'vitest';
import { commitRange } from '../../src/history/range/commit-range.js';
import { Fault } from '../../src/machine/index.js';

describe('the commit range of a bisection', () => {
  it('is the commits of the oldest and the newest version', () => {
    expect(commitRange('git:../z3@old,git:../z3@middle,git:../z3@new', {})).toEqual({
      repo: '../z3',
      good: 'old',
      bad: 'new',
    });
  });

  it('is the named commits, if given', () => {
    const named = { repo: '../other', good: 'a', bad: 'b' };
    expect(commitRange('z3@4.8.17,z3@5.2.0', named)).toEqual(named);
    expect(commitRange('git:../z3@old,git:../z3@new', { bad: 'b' })).toMatchObject({ good: 'old', bad: 'b' });
  });

  it('is a usage fault if neither is given', () => {
    expect(commitRange('z3@4.8.17,z3@5.2.0', { repo: '../z3' })).toBeInstanceOf(Fault);
    expect(commitRange('z3@4.8.17,git:../z3@new', {})).toBeInstanceOf(Fault);
  });
});
