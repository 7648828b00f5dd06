import { describe, expect, it } from 'vitest';
import { isPathOf, isPhrase, matchIn } from '../../src/history/triage/phrase.js';

describe('matchIn and isPathOf', () => {
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
    expect(matchIn(text, phrase)).toBe(words);
  });

  it('match whole paths', () => {
    expect(isPathOf('src/math/lp/horner.cpp', '*math/lp/*')).toBe(true);
    expect(isPathOf('src/smt/theory_seq.h', '*.md')).toBe(false);
    expect(isPathOf('README.md', '*.md')).toBe(true);
    expect(isPathOf('src/api/x.cpp', 'api/*')).toBe(false);
  });

  it('reject phrases with more than two wildcards or without text', () => {
    expect(['a*b*', 'a', '#<n> …'].every(isPhrase)).toBe(true);
    expect(['', ' ', 'a*b*c*', 'a\nb'].some(isPhrase)).toBe(false);
  });

  it('take time linear in the text', () => {
    const text = 'a'.repeat(20_000);
    expect(matchIn(text, 'a*a*b')).toBeUndefined();
    expect(matchIn(`${text} x`, 'a* … y')).toBeUndefined();
  });
});
