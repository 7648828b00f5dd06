import { expect, it } from 'vitest';
import { timeWords } from '../../src/report/hunt/time-words.js';

it('times of one solver are old and new', () => {
  const { titles, sentence } = timeWords({ versions: ['z3@4.8.17', 'z3@5.2.0'], builds: [] });
  expect(titles).toEqual(['old', 'new']);
  expect(sentence('16 ms', '2.00 s')).toBe('16 ms before, 2.00 s now');
});

it('z3str3 is Z3 by another string solver', () => {
  expect(timeWords({ versions: ['z3@4.8.12', 'z3str3@4.8.12'], builds: [] }).titles).toEqual(['old', 'new']);
});

it('times of several solvers go by their names', () => {
  const two = timeWords({ versions: ['cvc5@1.1.2', 'z3@5.2.0'], builds: [] });
  expect(two.titles).toEqual(['on cvc5@1.1.2', 'on z3@5.2.0']);
  expect(two.sentence('16 ms', '2.00 s')).toBe('16 ms on cvc5@1.1.2, 2.00 s on z3@5.2.0');
  const three = timeWords({ versions: ['cvc5@1.1.2', 'cvc5@1.2.0', 'z3@5.2.0'], builds: [] });
  expect(three.titles).toEqual(['on the best other', 'on z3@5.2.0']);
});

it('solvers that somebody built are known by what they said of themselves', () => {
  const builds = ['z3 4.8.9 git /x {}', 'z3 4.8.10 path {}'];
  expect(timeWords({ versions: ['git:/x@1234567', 'path:/y/z3'], builds }).titles).toEqual(['old', 'new']);
  expect(timeWords({ versions: ['git:/x@1234567', 'path:/y/z3'], builds: [] }).titles[0]).toBe(
    'on git:/x@1234567',
  );
});
