import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/page/markup.js';
import { formulaBlock } from '../../src/report/formulas/formula-block.js';
import { hostile } from './hostile.js';

const without = (markup: string) => markup.replaceAll(/<\/?span[^>]*>/g, '');

describe('formula block', () => {
  it('keeps every character of the formula', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        expect(without(formulaBlock(text).text)).toBe(html`<pre class="formula">${text}</pre>`.text);
      }),
    );
  });

  it('colours commands, operators, strings, numbers and comments', () => {
    const { text } = formulaBlock('(assert (= (str.len "a""(x)") 12)) ; done\n(check-sat)');
    for (const part of [
      '<span class="command">assert</span>',
      '<span class="operator">str.len</span>',
      '<span class="string">&quot;a&quot;&quot;(x)&quot;</span>',
      '<span class="number">12</span>',
      '<span class="comment">; done</span>',
      '<span class="command">check-sat</span>',
    ])
      expect(text).toContain(part);
  });

  it('leaves a very long formula uncoloured', () => {
    const long = '(assert true)\n'.repeat(10_000);
    expect(formulaBlock(long).text).not.toContain('<span');
  });

  it('takes linear time for an unterminated string', () => {
    expect(without(formulaBlock(`"${'a'.repeat(90_000)}`).text)).toHaveLength(
      90_000 + '<pre class="formula">&quot;</pre>'.length,
    );
  });
});
