import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.js';
import { bisection, runs } from './run-pages.js';
import { multiObjectiveStudy } from './study-pages.js';

const window = { width: 1280, colours: 'light' } as const;

/** Texts of a column. */
const column = (number: number) =>
  `[...document.querySelectorAll('tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[${number}].textContent)`;

describe('table of a comparison page', () => {
  it('lists disagreements first, then slowdowns', async () => {
    const { page } = await openPage(runs(), window);
    const formulas = await page.evaluate<string[]>(column(0));
    expect(formulas.slice(0, 3).map((name) => name.match(/\d+/)?.[0])).toEqual(['5', '0', '7']);
  });

  it('is sorted by a click on a title, numerically for numbers, and reversed by the next click', async () => {
    const { page } = await openPage(runs(), window);
    const title = page.getByRole('button', { name: 'time' }).first();
    await title.click();
    const times = await page.evaluate<string[]>(column(4));
    expect(times[0]).toBe('10 ms');
    expect(times.at(-1)).toBe('127 ms');
    await title.click();
    expect((await page.evaluate<string[]>(column(4)))[0]).toBe('127 ms');
  });

  it('shows only rows that match the filter, with their number', async () => {
    const { page } = await openPage(runs(), window);
    await page.getByRole('searchbox').fill('slower timeout');
    expect(await page.evaluate<string[]>(column(0))).toHaveLength(6);
    expect(await page.locator('.filter').textContent()).toContain('6 of 40');
    await page.getByRole('searchbox').fill('');
    expect(await page.evaluate<string[]>(column(0))).toHaveLength(40);
  });

  it('is the link target of slowdown dots', async () => {
    const { page } = await openPage(runs(), window);
    await page.locator('.slowdowns a').first().click();
    expect(page.url()).toMatch(/#formula-\d+$/);
  });
});

describe('copyable block', () => {
  it('has a button that copies its text', async () => {
    const { page } = await openPage(bisection(), window);
    await page.locator('summary').first().click();
    const button = page.getByRole('button', { name: 'copy' }).first();
    await button.click();
    await expect.poll(() => page.getByRole('button', { name: /copied|selected/ }).count()).toBe(1);
    const selected = await page.evaluate<string>('getSelection().toString()');
    const copied = await page.locator('pre.formula').first().textContent();
    expect(copied).toContain('(assert (str.in_re x');
    expect(['', copied?.trim()]).toContain(selected.trim());
  });
});

describe('cube charts', () => {
  /** A hash of each cube's drawing, including the order of its parts. */
  const drawn = `[...document.querySelectorAll('svg.cube')].map((cube) => {
    const parts = [...cube.querySelectorAll('line, circle, text')].map((part) => part.outerHTML).join('');
    return [...parts].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) | 0, 0);
  })`;
  const pictures = (page: Page): Promise<readonly number[]> => page.evaluate(drawn);

  it('turn together with the arrow keys, and reset to the view without scripts', async () => {
    const { page, complaints } = await openPage(multiObjectiveStudy(), window);
    const before = await pictures(page);
    expect(before).toHaveLength(7);
    const [box] = await page.getByRole('application').all();
    await box?.press('ArrowLeft');
    await box?.press('ArrowDown');
    const turned = await pictures(page);
    expect(turned.filter((cube, at) => cube === before[at])).toEqual([]);
    await box?.press('Home');
    expect(await pictures(page)).toEqual(before);
    expect(complaints).toEqual([]);
  });

  it('follow the mouse only while its button is pressed', async () => {
    const { page } = await openPage(multiObjectiveStudy(), window);
    const [box] = await page.getByRole('application').all();
    await box?.scrollIntoViewIfNeeded();
    const before = await pictures(page);
    const { x = 0, y = 0 } = (await box?.boundingBox()) ?? {};
    await page.mouse.move(x + 100, y + 100);
    expect(await pictures(page)).toEqual(before);
    await page.mouse.down();
    await page.mouse.move(x + 150, y + 120);
    await page.mouse.up();
    const turned = await pictures(page);
    expect(turned).not.toEqual(before);
    await page.mouse.move(x + 20, y + 20);
    expect(await pictures(page)).toEqual(turned);
  });

  it('follow a horizontal swipe and leave a vertical one to the page', async () => {
    const { page } = await openPage(multiObjectiveStudy(), { width: 390, colours: 'light' });
    const [box] = await page.getByRole('application').all();
    await box?.scrollIntoViewIfNeeded();
    const before = await pictures(page);
    const { x = 0, y = 0 } = (await box?.boundingBox()) ?? {};
    const finger = await page.context().newCDPSession(page);
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', right: number, down: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + right, y: y + down }],
      });
    await touch('touchStart', 50, 50);
    for (const far of [70, 100, 130]) await touch('touchMove', far, 50);
    await touch('touchEnd', 0, 0);
    const turned = await pictures(page);
    expect(turned).not.toEqual(before);
    await touch('touchStart', 50, 150);
    for (const far of [120, 80, 40]) await touch('touchMove', 50, far);
    await touch('touchEnd', 0, 0);
    expect(await pictures(page)).toEqual(turned);
  });
});

it('a page without scripts shows the same data', async () => {
  const text = runs().replace(/<script>[\s\S]*<\/script>/, '');
  const { page } = await openPage(text, window);
  expect(await page.evaluate<string[]>(column(0))).toHaveLength(40);
});

it('a page runs only its own scripts', async () => {
  const { page, complaints } = await openPage(
    runs().replace('</body>', '<script>document.title = "taken"</script></body>'),
    window,
  );
  expect(await page.title()).toBe('z3@5.2.0 against z3@4.8.17');
  expect(complaints.join()).toContain('Content Security Policy');
});
