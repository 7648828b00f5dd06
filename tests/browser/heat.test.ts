import { describe, expect, it } from 'vitest';
import { contrast } from './contrast.js';
import { fileOfHeat, heatOfCalls, heatOfLines, heatOfTwo } from './heat-pages.js';
import { keepPicture } from './keep-picture.js';
import { scrolls, writings } from './look-into.js';
import { openPage } from './open-page.js';

const desk = { width: 1280, colours: 'light' } as const;
const paper = { width: 794, height: 1123 };
const phone = { width: 390, colours: 'dark' } as const;

/** WCAG 2.2, 1.4.3. */
const readable = 4.5;

describe('heat map page', () => {
  it('shows the lines of a selected file, coloured by count', async () => {
    const { page, complaints } = await openPage(heatOfLines(), desk);
    expect(await page.locator('.line').count()).toBe(0);
    await page.getByRole('link', { name: fileOfHeat }).click();
    await page.locator('.line').first().waitFor();
    expect(await page.locator('.line').count()).toBe(59);
    expect(await page.locator('.line').nth(11).textContent()).toMatch(/^122\.05k {4}if \(m_limit\[11\]/);
    expect(await page.locator('.line').nth(11).getAttribute('class')).toBe('line h9');
    await page.getByRole('button', { name: 'next most executed line' }).click();
    await page.locator('.here').waitFor();
    expect(page.url()).toMatch(/theory_seq\.cpp:12$/);
    await page.getByRole('link', { name: 'build/generated.h' }).click();
    await page.getByText('is not available').waitFor();
    expect(await page.locator('.line').allTextContents()).toEqual(['712']);
    expect(complaints).toEqual([]);
  });

  it('opens at a line, also at a line that only one of two versions has', async () => {
    const { page, complaints } = await openPage(heatOfTwo(), desk);
    await page.evaluate(`location.hash = '#${fileOfHeat}:2'`);
    await page.locator('.here').waitFor();
    expect(await page.locator('.here').textContent()).toContain('m_limit[0]');
    expect(await page.locator('.line').first().textContent()).toBe('10// new');
    expect(await page.locator('.line.a4').count()).toBeGreaterThan(0);
    expect(await page.locator('.line.b3').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'next difference' }).click();
    await page.locator('.here.a4').waitFor();
    await page.evaluate(`location.hash = '#src/ast/'`);
    await page.getByText('1 of 4').waitFor();
    expect(complaints).toEqual([]);
  });

  it('has the functions of a class if only calls are counted', async () => {
    const { page } = await openPage(heatOfCalls(), desk);
    await page.getByRole('link', { name: 'smt::theory_3' }).click();
    await page.locator('.line').first().waitFor();
    expect(await page.locator('.line').first().textContent()).toContain('smt::theory_3::propagate_10(');
  });

  it.each([
    [desk, heatOfTwo],
    [phone, heatOfTwo],
    [phone, heatOfLines],
  ])('with an open file is readable and fits %o', async (window, made) => {
    const { page } = await openPage(made(), window);
    await page.evaluate(`location.hash = '#${fileOfHeat}'`);
    await page.locator('.line').first().waitFor();
    await keepPicture(page, `${made.name} open ${window.width}`);
    expect((await scrolls(page)).page).toBe(0);
    expect((await writings(page)).filter((words) => contrast(words) < readable)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(paper);
    expect(await scrolls(page)).toEqual({ page: 0, boxes: [] });
  });
});
