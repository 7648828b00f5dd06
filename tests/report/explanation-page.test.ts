import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CauseTree } from '../../src/explain/index.js';
import { explanationHtml, explanationMarkdown } from '../../src/report/index.js';
import { hostile } from './hostile.js';
import { explanationSaying, madeExplanation } from './made-explanation.js';

const bodyOf = (page: string): string => page.slice(page.indexOf('<body>'), page.indexOf('<script>'));
/** The tags of a page without attribute values. */
const tagsOf = (page: string): string =>
  bodyOf(page)
    .replaceAll(/="[^"]*"/g, '')
    .replaceAll(/>[^<]+</g, '><');

describe('explanation page', () => {
  it('shows the failure, the blamed changes and the causes first, the patch and the settings last', () => {
    const page = explanationHtml(madeExplanation(), '1');
    expect(page).toContain('<title>2 changes to blame between tool-1.0 and v1.1 (aaaaaaaaaa)</title>');
    const places = [
      '<dl class="failure">',
      'With these changes reverted, the test passes.',
      '<section id="blamed">',
      '<section id="why">',
      '<section id="auxiliary">',
      '<section id="carriers">',
      '<section id="patch">',
      '<section id="settings">',
    ].map((part) => page.indexOf(part));
    expect(places.every((at) => at > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('links every line of a cause to its place in the source on the page', () => {
    const page = explanationHtml(madeExplanation(), '1');
    const links = [...page.matchAll(/<a class="step[^>]* href="#(s[\d-]+)"/g)].map(([, id]) => id);
    expect(links).toHaveLength(62);
    for (const id of links) expect(page).toContain(`id="${id}"`);
    const without = explanationHtml(madeExplanation({ sources: [] }), '1');
    expect(without).not.toContain('<a class="step');
    expect(without).toContain(
      '<span class="step changed"><span class="place" title="src/main.c:14">main.c:14</span>',
    );
  });

  it('shows the chain of a change that is in no cause', () => {
    const page = explanationHtml(madeExplanation({ tree: undefined }), '1');
    expect(page).toContain('<summary>how src/main.c:14 in f leads to the failure</summary>');
    expect(explanationHtml(madeExplanation(), '1')).not.toContain('leads to the failure</summary>');
  });

  it('limits long changes, causes and patches', () => {
    const view = madeExplanation();
    const [line] = view.explanation.tree?.lines ?? [];
    if (line === undefined) throw new Error('there is no line');
    const lines = Array.from({ length: 3000 }, () => line);
    const wide: CauseTree = {
      decides: 'failure',
      isForced: true,
      lines,
      changes: [],
      because: Array.from({ length: 20 }, () => ({
        decides: 'whether',
        isForced: true,
        lines,
        changes: [],
        because: [],
      })),
    };
    const [blamed] = view.explanation.blamed;
    if (blamed === undefined) throw new Error('nothing is blamed');
    const long = { ...blamed, newLines: Array.from({ length: 50_000 }, () => 'x\n') };
    const page = explanationHtml(
      madeExplanation({ tree: wide, blamed: [long], patch: 'x\n'.repeat(500_000) }),
      '1',
    );
    expect(page.length).toBeLessThan(2_000_000);
    expect(page).toContain('49.8k more lines');
    expect(page).toContain('The patch is too large for a page: 500000 lines.');
  });

  it('has the same tags for all texts', () => {
    const tags = tagsOf(explanationHtml(explanationSaying('x'), '1'));
    fc.assert(
      fc.property(hostile, (words) => {
        // The command has a box for each word, so words must not contain white space.
        const page = explanationHtml(explanationSaying(`x${words.replaceAll(/\s/g, '')}`), '1');
        expect(tagsOf(page)).toBe(tags);
      }),
      { numRuns: 200 },
    );
  });
});

describe('explanation as Markdown', () => {
  it('contains the blamed changes, the causes and the command', () => {
    const text = explanationMarkdown(madeExplanation());
    expect(text).toMatch(/^# 2 changes to blame between `tool-1\.0` and `v1\.1 \(aaaaaaaaaa\)`\n/);
    expect(text).toContain('```diff\n-    sum += z;\n+    sum += (0 - z);\n```');
    expect(text).toContain('  ! src/main.c:14  sum += (0 - z);   [z = 1, sum = 1]');
    expect(text).toContain('To be reverted with it, so that it compiles:\n\n- `src/main.c:4 in f`');
    expect(text).toContain('culprit explain --old /home/somebody/tool-1.0 --new aaaaaaaaaa');
    expect(text).not.toMatch(/--(?:repeat|memory|(?:build-|tree-)?timeout)/);
  });

  it('repeats limits that differ from the defaults', () => {
    const { settings, explanation } = madeExplanation();
    const limits = { buildLimitMs: 3_600_000, testLimitMs: 2500, treeLimitMs: 1000, memoryBytes: 1 << 29 };
    expect(explanationMarkdown({ settings: { ...settings, ...limits, repeats: 5 }, explanation })).toContain(
      ' --timeout 2500ms --build-timeout 3600s --tree-timeout 1s --memory 512MB --repeat 5\n',
    );
  });

  it('keeps untrusted text inside its blocks', () => {
    fc.assert(
      fc.property(hostile, (words) => {
        const text = explanationMarkdown(explanationSaying(words));
        let fence = '';
        for (const line of text.split('\n')) {
          const [run] = /^`{3,}/.exec(line) ?? [];
          if (fence === '' && run !== undefined) fence = run;
          else if (fence !== '') {
            if (line === fence) fence = '';
          } else expect(line.replaceAll(/`[^`]+`|<\/?(?:code|details|summary)>/g, '')).not.toMatch(/[<>`]/);
        }
        expect(fence).toBe('');
      }),
    );
  });
});
