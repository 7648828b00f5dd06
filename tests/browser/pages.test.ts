import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contrast } from './contrast.js';
import { keepPicture } from './keep-picture.js';
import { brokenWords, hiddenTexts, misplacedLabels, scrolls, writings } from './look-into.js';
import { madePages } from './made-pages.js';
import { changeWindow, openSharedPage, type SharedPage } from './open-page.js';

const [phone, desk, paper] = [390, 1280, 794];

/** WCAG 2.2, 1.4.3. */
const readable = 4.5;

describe.each(Object.entries(madePages))('%s', (name, made) => {
  /** Loaded once; only the window changes. */
  let opened: SharedPage;

  beforeAll(async () => {
    opened = await openSharedPage(await made(), { width: desk, colours: 'light' });
  });

  afterAll(() => opened.close());

  it('loads nothing and causes no browser errors', () => {
    expect(opened.complaints).toEqual([]);
  });

  it.each([
    [phone, 'light'],
    [phone, 'dark'],
    [desk, 'light'],
    [desk, 'dark'],
  ] as const)('fits a window of %i pixels and is readable in %s colours', async (width, colours) => {
    const { page } = opened;
    await changeWindow(page, { width, colours });
    await keepPicture(page, `${name} ${width} ${colours}`);
    // Wide tables and charts scroll in their own boxes, so that nothing is squeezed.
    expect((await scrolls(page)).page).toBe(0);
    expect(await brokenWords(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    const written = await writings(page);
    expect(written.filter((words) => contrast(words) < readable)).toEqual([]);
    expect(written.length).toBeGreaterThan(0);
  });

  it('prints completely, in dark ink on white, with folded parts open', async () => {
    const { page } = opened;
    await changeWindow(page, { width: paper, colours: 'dark' });
    await page.emulateMedia({ media: 'print' });
    await keepPicture(page, `${name} print`);
    expect(await hiddenTexts(page)).toEqual([]);
    expect(await scrolls(page)).toEqual({ page: 0, boxes: [] });
    expect(await brokenWords(page)).toEqual([]);
    const [first] = await writings(page);
    expect(first?.behind).toContain('rgb(255, 255, 255)');
  });
});
