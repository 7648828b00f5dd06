import { describe, expect, it } from 'vitest';
import { foundIn, isPathOf, isPhrase } from '../../src/history/triage/phrase.js';

describe('a phrase', () => {
  it.each([
    ['fix*', 'Fixing #12', 'Fixing'],
    ['fix*', 'a prefix', undefined],
    ['bug', 'debug it', undefined],
    ['#<n>', 'fix #4969', '#4969'],
    ['#<n>', 'merge (#4969)', undefined],
    ['switch* … default', 'switch to the new solver as default', 'switch to the new solver as default'],
    ['switch* … default', `switch ${'x'.repeat(60)} default`, undefined],
    ['std::cout', 'std::cout << ls;', 'std::cout'],
    ['a.b', 'axb', undefined],
    ['release notes', 'updated release  notes', 'release  notes'],
  ])('%s of "%s" is %s', (phrase, text, words) => {
    expect(foundIn(text, phrase)).toBe(words);
  });

  it('stands for whole paths', () => {
    expect(isPathOf('src/math/lp/horner.cpp', '*math/lp/*')).toBe(true);
    expect(isPathOf('src/smt/theory_seq.h', '*.md')).toBe(false);
    expect(isPathOf('README.md', '*.md')).toBe(true);
    expect(isPathOf('src/api/x.cpp', 'api/*')).toBe(false);
  });

  it('has at most two wild cards and says something', () => {
    expect(['a*b*', 'a', '#<n> …'].every(isPhrase)).toBe(true);
    expect(['', ' ', 'a*b*c*', 'a\nb'].some(isPhrase)).toBe(false);
  });

  it('is looked for in no more steps than the text is long, so to say', () => {
    const text = 'a'.repeat(20_000);
    expect(foundIn(text, 'a*a*b')).toBeUndefined();
    expect(foundIn(`${text} x`, 'a* … y')).toBeUndefined();
  });
});
