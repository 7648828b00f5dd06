import { expect, it } from 'vitest';
import { timeLabels } from '../../src/report/hunt/time-labels.js';

it('timeLabels are old and new for one solver', () => {
  const { titles, sentence } = timeLabels({ versions: ['z3@4.8.17', 'z3@5.2.0'], builds: [] });
  expect(titles).toEqual(['old', 'new']);
  expect(sentence('16 ms', '2.00 s')).toBe('16 ms before, 2.00 s now');
});

it('timeLabels treat z3str3 as Z3', () => {
  expect(timeLabels({ versions: ['z3@4.8.12', 'z3str3@4.8.12'], builds: [] }).titles).toEqual(['old', 'new']);
});

it('timeLabels name the versions of several solvers', () => {
  const two = timeLabels({ versions: ['cvc5@1.1.2', 'z3@5.2.0'], builds: [] });
  expect(two.titles).toEqual(['on cvc5@1.1.2', 'on z3@5.2.0']);
  expect(two.sentence('16 ms', '2.00 s')).toBe('16 ms on cvc5@1.1.2, 2.00 s on z3@5.2.0');
  const three = timeLabels({ versions: ['cvc5@1.1.2', 'cvc5@1.2.0', 'z3@5.2.0'], builds: [] });
  expect(three.titles).toEqual(['on the best other', 'on z3@5.2.0']);
});

it('timeLabels recognize local builds by their reported name', () => {
  const builds = ['z3 4.8.9 git /x {}', 'z3 4.8.10 path {}'];
  expect(timeLabels({ versions: ['git:/x@1234567', 'path:/y/z3'], builds }).titles).toEqual(['old', 'new']);
  expect(timeLabels({ versions: ['git:/x@1234567', 'path:/y/z3'], builds: [] }).titles[0]).toBe(
    'on git:/x@1234567',
  );
});
