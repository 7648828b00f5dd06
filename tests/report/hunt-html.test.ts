import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { visible } from '../../src/machine/visible.js';
import { html } from '../../src/page/markup.js';
import { huntHtml } from '../../src/report/hunt/hunt-html.js';
import { hostile } from './hostile.js';
import { dataOf, ordinary } from './made-campaign.js';

/** Removes the colour spans of formulas, whose number depends on the text. */
function uncoloured(page: string): string {
  return page.replaceAll(
    /<span(?: class="(?:comment|string|command|number|operator)")?>(.*?)<\/span>/gs,
    '$1',
  );
}

/** The tags of a page, in order, without attribute values. */
function skeleton(page: string): string[] {
  return (uncoloured(page).match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
}

function decoded(page: string): string {
  return uncoloured(page)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const page = huntHtml(dataOf(ordinary), 'campaigns/one');

describe('hunt page', () => {
  it('has the same tags for all formulas, names and messages', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (version, formula, word, folder) => {
        const strange = huntHtml(dataOf({ version, formula, word }), folder);
        expect(skeleton(strange)).toEqual(skeleton(page));
        expect(decoded(strange)).toContain(visible(formula));
      }),
    );
  });

  it('treats CRLF line ends in a formula as LF, also in comments', () => {
    const strange = huntHtml(dataOf({ ...ordinary, formula: '(assert a); why\r\n(check-sat)' }), 'one');
    expect(decoded(strange)).toContain('(assert a); why\n(check-sat)');
    expect(strange).not.toContain('u{d}');
  });

  it('shows hidden characters in escaped form', () => {
    expect(html`<p>${'a\u0000b\u001b[2J\u202ec'}</p>`.text).toBe('<p>a\\u{0}b\\u{1b}[2J\\u{202e}c</p>');
  });

  it('loads nothing and runs only its own script', () => {
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
    const digest = createHash('sha512').update(script).digest('base64');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha512-${digest}'"`,
    );
    expect(page.replace(script, '')).not.toMatch(
      /<(link|img|iframe|object|embed)|https?:|url\(|@import|src=/i,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  it('orders disagreements, findings, charts, other anomalies and settings', () => {
    const ids = ['disagreements', 'wrong-models', 'kind-1', 'course', 'anomalies', 'settings'];
    const places = ids.map((id) => page.indexOf(`id="${id}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(page).toContain('<section id="settings"><details><summary>');
  });

  it('shows formula, versions, times, effort, seeds and commands of each finding', () => {
    const part = decoded(page);
    for (const id of [1, 2]) {
      expect(part).toContain(`<pre class="formula">${id}${ordinary.formula}</pre>`);
      expect(part).toContain(
        `culprit run campaigns/one/cases/s000${id}.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 2s --threshold 1s`,
      );
      expect(part).toContain(`culprit confirm campaigns/one/cases/s000${id}.smt2`);
    }
    expect(part).toContain('>125x slower</b>: 16 ms before, >2.00 s now.');
    expect(part).toContain('Slower on 2 of 3 random seeds');
    expect(part).toContain('7.43k');
    expect(part).toContain(`original ${ordinary.formula}`);
  });

  it('has a chart for each value that changes over time', () => {
    for (const title of ['Found over time', 'Old against new time of each formula', 'str.indexof1']) {
      expect(page).toContain(`aria-label="${title}"`);
    }
    expect(page.match(/<svg /g)).toHaveLength(5);
  });

  it('renders a campaign without findings, and one without trials', () => {
    const empty = huntHtml(dataOf(ordinary, []), 'campaigns/one');
    expect(empty).toContain('0 findings of 0 kinds');
    expect(empty).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('renders a journal that confirms a slowdown without a run', () => {
    const events = dataOf(ordinary, [
      {
        event: 'slowdown',
        at: 1,
        slowdown: caseId(1),
        by: 'x',
        text: 'x',
        runs: [],
        kind: { answer: 'sat', operators: [], since: 9 },
        isPresumed: false,
      },
      { event: 'confirmed', at: 2, slowdown: caseId(1), samples: [[], []], verdict: 'slower' },
    ]);
    expect(huntHtml(events, 'x')).not.toMatch(/NaN|Infinity|undefined/);
  });
});
