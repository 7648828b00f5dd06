import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { prettyScript } from '../../src/smtlib/printing/pretty.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import { scripts } from './arbitrary.js';

it('prettyScript breaks long commands and keeps the tree', () => {
  fc.assert(
    fc.property(scripts, fc.integer({ min: 1, max: 60 }), (script, width) => {
      expect(parseScript(prettyScript(script, { width }))).toEqual(script);
    }),
    { numRuns: 500 },
  );
});

it('prettyScript breaks at the outermost brackets first', () => {
  const script = parseScript('(assert (and (= x "some long literal") (or (not p) (str.contains x "y"))))');
  expect(prettyScript(script, { width: 44 })).toBe(
    [
      '(assert',
      '  (and',
      '    (= x "some long literal")',
      '    (or (not p) (str.contains x "y"))))',
      '',
    ].join('\n'),
  );
});

it('prettyScript output grows linearly with the depth', () => {
  const depth = 20_000;
  const text = `(assert ${'(not '.repeat(depth)}true${')'.repeat(depth)})`;
  expect(prettyScript(parseScript(text)).length).toBeLessThan(text.length * 30);
});
