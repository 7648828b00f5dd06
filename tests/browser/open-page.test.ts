import { describe, expect, it } from 'vitest';
import { contrast } from './contrast.js';
import { brokenWords, hiddenTexts, misplacedLabels, scrolls, writings } from './look-into.js';
import { openPage } from './open-page.js';

const window = { width: 390, colours: 'dark' } as const;

describe('openPage', () => {
  it('has the requested width and colours, and letters with a width', async () => {
    const style = '@media (prefers-color-scheme: dark) { body { background: #123; } }';
    const { page } = await openPage(`<style>${style}</style><body>${'wide '.repeat(100)}`, window);
    expect(await page.evaluate('innerWidth')).toBe(390);
    expect(await page.evaluate('document.body.offsetHeight')).toBeGreaterThan(100);
    expect((await writings(page))[0]?.behind).toContain('rgb(17, 34, 51)');
  });

  it('reports requests and script errors', async () => {
    const { complaints } = await openPage(
      '<img src="http://127.0.0.1:9/x.png"><script>gone()</script>',
      window,
    );
    expect(complaints).toContain('asks for http://127.0.0.1:9/x.png');
    expect(complaints.join()).toContain('gone is not defined');
  });

  it('detects overflowing, folded, squeezed and overlapping text', async () => {
    const { page } = await openPage(
      `<!doctype html><pre style="width: 500px; height: 1px; overflow: auto">a<br>b</pre>
<details><table><td>folded</table></details>
<table style="width: 1px; overflow-wrap: anywhere"><td>squeezed</table>
<svg width="100" height="50"><text y="20">one</text><text y="20">two</text><text y="90">three</text></svg>`,
      window,
    );
    expect((await scrolls(page)).page).toBeGreaterThan(100);
    expect(await hiddenTexts(page)).toEqual(['ab', 'folded']);
    expect(await brokenWords(page)).toEqual(['squeezed']);
    expect(await misplacedLabels(page)).toEqual(['"three" outside', '"one" on "two"']);
  });
});

describe('contrast', () => {
  const on = (colour: string, ...behind: readonly string[]) => contrast({ colour, behind });

  it('equals the WCAG ratio', () => {
    expect(on('rgb(0, 0, 0)', 'rgb(255, 255, 255)')).toBeCloseTo(21);
    expect(on('rgb(119, 119, 119)', 'rgb(255, 255, 255)')).toBeCloseTo(4.48);
    expect(on('rgb(9, 9, 9)', 'rgb(9, 9, 9)')).toBe(1);
  });

  it('includes translucent backgrounds', () => {
    expect(on('rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)')).toBeCloseTo(21);
    expect(on('rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)', 'rgb(0, 0, 0)', 'rgb(255, 0, 0)')).toBeCloseTo(21);
    expect(on('rgba(0, 0, 0, 0.5)', 'rgb(255, 255, 255)')).toBeLessThan(4.5);
  });
});
