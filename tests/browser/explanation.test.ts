import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { explanationPage } from './explanation-pages.js';
import { openPage } from './open-page.js';

const desk = { width: 1280, colours: 'light' } as const;
const phone = { width: 390, colours: 'dark' } as const;

const marked = (page: Page) => page.locator('.source .in-cause').allTextContents();
const step = (page: Page, words: string) => page.getByRole('link', { name: words }).first();

describe('explanation page', () => {
  it('opens with the failure in its source, the lines of its cause and their values', async () => {
    const { page, complaints } = await openPage(explanationPage(), desk);
    expect(await page.locator('.source .here').textContent()).toBe('  printf("sum=%d\\n", sum);sum = 1\n');
    expect(await marked(page)).toHaveLength(5);
    expect(complaints).toEqual([]);
  });

  it('shows the source of a selected line, with only its cause marked', async () => {
    const { page, complaints } = await openPage(explanationPage(), desk);
    await step(page, 'main.c:7').click();
    expect(await marked(page)).toEqual([
      'void f(int x, int y, int z) {x = 3, y = 2\n',
      '    if (x < y)x = 3, y = 2\n',
    ]);
    await page.getByText('15 lines before').click();
    await step(page, 'c:101').scrollIntoViewIfNeeded();
    const top = await page.evaluate('scrollY');
    await step(page, 'c:101').click();
    expect(await page.locator('.sources .file:visible').count()).toBe(1);
    expect(await page.locator('.source .here').textContent()).toContain('argument = 1, a_pointer_to_it');
    expect(await page.evaluate('scrollY')).toBe(top);
    expect(complaints).toEqual([]);
  });

  it('moves through lines with the arrow keys and skips folded ones', async () => {
    const { page } = await openPage(explanationPage(), desk);
    await step(page, 'main.c:7').focus();
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('[aria-current]').textContent()).toContain('main.c:4');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    // 15 of 55 lines are folded.
    expect(await page.locator('[aria-current]').textContent()).toContain('c:115');
    expect(await page.locator('.source .here').getAttribute('data-line')).toBe('115');
  });

  it('keeps the source visible on a phone while causes scroll', async () => {
    const { page } = await openPage(explanationPage(), phone);
    await step(page, 'main.c:14').click();
    const seen = await page.locator('.source .here').boundingBox();
    expect(seen?.y).toBeGreaterThan(0);
    expect(seen?.y).toBeLessThan(800);
  });

  it('copies the whole patch', async () => {
    const { page } = await openPage(explanationPage(), desk);
    expect(await page.locator('pre.patch').textContent()).toMatch(/^diff --git [\s\S]*sum\);\n$/);
    expect(await page.locator('.copyable:has(pre.patch) button.copy').count()).toBe(1);
  });
});
