import { describe, expect, it } from 'vitest';
import { checkScript } from '../../src/smtlib/checking/check.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';

const deep = 100_000;
const nest = (open: string, inner: string, close = ')'): string =>
  `${open.repeat(deep)}${inner}${close.repeat(deep)}`;

describe('parsing, checking and printing 100,000 levels', () => {
  it.each([
    ['applications', `(assert ${nest('(not ', 'true')})\n`],
    ['lets', `(assert ${nest('(let ((x true)) ', 'x')})\n`],
    ['lets in bindings', `(assert ${nest('(let ((x ', 'true', ')) x)')})\n`],
    ['quantifiers', `(assert ${nest('(forall ((x Int)) ', '(= x 1)')})\n`],
    ['annotations', `(assert ${nest('(! ', 'true', ' :weight 0)')})\n`],
    ['free-form text', `(set-info :x ${nest('(', '')})\n`],
  ])('works for nested %s', (_, text) => {
    const script = parseScript(text);
    expect(checkScript(script)).toBeUndefined();
    expect(printScript(script) === text).toBe(true);
  });

  it('parses and prints deeply nested sorts, which the checker refuses', () => {
    const text = `(declare-const x ${nest('(Array Int ', 'Int')})\n`;
    const script = parseScript(text);
    expect(printScript(script) === text).toBe(true);
    expect(checkScript(script)).toMatchObject({ message: 'a sort is nested too deeply' });
  });
});
