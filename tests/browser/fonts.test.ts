import { describe, expect, it } from 'vitest';
import { brokenWords, misplacedLabels, scrolls } from './look-into.js';
import { madePages } from './made-pages.js';
import { changeWindow, openPage } from './open-page.js';

const [phone, desk, paper] = [390, 1280, 794];

/** A machine may have wider and narrower fonts than the tests. */
const fonts = {
  'a wide font': '* { font-family: "DejaVu Sans Mono" !important; }',
  'bold text': ':not(svg *) { font-weight: bold !important; }',
  'a font with serifs': '* { font-family: "DejaVu Serif" !important; }',
  'a narrow font': '* { letter-spacing: -.08em !important; }',
};

describe.each(Object.entries(madePages))('%s', (_, made) => {
  it('fits a phone, a desktop and paper with any font', async () => {
    const { page } = await openPage(await made(), { width: desk, colours: 'light' });
    for (const [font, content] of Object.entries(fonts)) {
      // As a rule of the page's own style: its policy forbids further ones.
      await page.evaluate(`document.querySelector('style').sheet.insertRule(${JSON.stringify(content)}, 0)`);
      for (const width of [phone, desk]) {
        await changeWindow(page, { width, colours: 'light' });
        expect({
          ...{ font, width, hidden: (await scrolls(page)).page },
          ...{ broken: await brokenWords(page), misplaced: await misplacedLabels(page) },
        }).toEqual({ font, width, hidden: 0, broken: [], misplaced: [] });
      }
      await changeWindow(page, { width: paper, colours: 'light' });
      await page.emulateMedia({ media: 'print' });
      expect({ font, hidden: await scrolls(page), broken: await brokenWords(page) }).toEqual({
        ...{ font, hidden: { page: 0, boxes: [] }, broken: [] },
      });
      await page.evaluate(`document.querySelector('style').sheet.deleteRule(0)`);
    }
  });
});
