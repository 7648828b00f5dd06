import { describe, expect, it } from 'vitest';
import { ThompsonBandit } from '../../src/hunt/search/bandit.js';
import { Random } from '../../src/machine/index.js';

/** The arms chosen in each round, given each arm's success rate. */
function play(seed: number, chances: Readonly<Record<string, number>>, rounds: number): string[] {
  const random = Random.fromSeed(seed);
  const world = Random.fromSeed(seed + 1000);
  const bandit = new ThompsonBandit(Object.keys(chances));
  return Array.from({ length: rounds }, () => {
    const action = bandit.select(random) as string;
    if (world.chance(chances[action] as number)) bandit.reward(action);
    else bandit.punish(action);
    return action;
  });
}

describe('ThompsonBandit', () => {
  it('finds the better of two arms', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const late = play(seed, { bad: 0.2, good: 0.6 }, 400).slice(200);
      expect(late.filter((action) => action === 'good').length).toBeGreaterThan(180);
    }
  });

  it('explores both arms at first', () => {
    expect(new Set(play(3, { a: 0.1, b: 0.1, c: 0.1, d: 0.1 }, 60)).size).toBe(4);
  });

  it('chooses identically for equal seeds', () => {
    const chances = { a: 0.3, b: 0.4, c: 0.5 };
    expect(play(5, chances, 200)).toEqual(play(5, chances, 200));
    expect(play(5, chances, 200)).not.toEqual(play(6, chances, 200));
  });

  it('chooses only allowed and known actions', () => {
    const random = Random.fromSeed(1);
    const bandit = new ThompsonBandit<string>(['a', 'b']);
    for (let i = 0; i < 20; i++) expect(bandit.select(random, ['b', 'stranger'])).toBe('b');
    expect(bandit.select(random, ['stranger'])).toBeUndefined();
    expect(new ThompsonBandit<string>([]).select(random)).toBeUndefined();
  });

  it('lists beliefs by success rate, ties by name', () => {
    const bandit = new ThompsonBandit<string>(['d', 'c', 'b', 'a']);
    bandit.reward('b', 2);
    bandit.punish('c', 1);
    expect(bandit.beliefs()).toEqual([
      { action: 'b', mean: 3 / 4, tries: 2 },
      { action: 'a', mean: 1 / 2, tries: 0 },
      { action: 'd', mean: 1 / 2, tries: 0 },
      { action: 'c', mean: 1 / 3, tries: 1 },
    ]);
  });

  it('starts with the given prior', () => {
    const bandit = new ThompsonBandit<string>(['a'], () => ({ rewards: 1, failures: 3 }));
    expect(bandit.beliefs()).toEqual([{ action: 'a', mean: 1 / 4, tries: 0 }]);
    bandit.reward('a', 0.5);
    expect(bandit.beliefs()[0]?.mean).toBeCloseTo(1.5 / 4.5);
  });

  it('keeps a prior per action when old results decay', () => {
    const failures = (action: string): number => (action === 'unlikely' ? 9 : 1);
    const bandit = new ThompsonBandit<string>(
      ['likely', 'unlikely'],
      (action) => ({ rewards: 1, failures: failures(action) }),
      5,
    );
    for (let i = 0; i < 100; i++) bandit.punish('likely', 0.1);
    expect(bandit.beliefs().map(({ action }) => action)).toEqual(['likely', 'unlikely']);
    expect(bandit.beliefs()[1]).toMatchObject({ mean: 1 / 10, tries: 0 });
  });

  it('ignores results of unknown actions', () => {
    const bandit = new ThompsonBandit<string>(['a']);
    bandit.reward('stranger');
    bandit.punish('stranger');
    expect(bandit.beliefs()).toEqual([{ action: 'a', mean: 1 / 2, tries: 0 }]);
  });

  it('follows a change of success rates if old results decay', () => {
    const bandit = new ThompsonBandit<string>(['once', 'now'], undefined, 20);
    for (let i = 0; i < 50; i++) bandit.reward('once');
    for (let i = 0; i < 100; i++) bandit.punish('once', 0.5);
    for (let i = 0; i < 10; i++) bandit.reward('now');
    const [best, other] = bandit.beliefs();
    expect(best?.action).toBe('now');
    expect(other?.mean).toBeLessThan(0.3);
    expect((best?.tries ?? 0) + (other?.tries ?? 0)).toBeLessThan(21);
  });
});
