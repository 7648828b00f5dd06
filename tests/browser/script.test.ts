import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.js';
import { bisection, runs } from './run-pages.js';

const window = { width: 1280, colours: 'light' } as const;

/** What stands in a column, from the top. */
const column = (number: number) =>
  `[...document.querySelectorAll('tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[${number}].textContent)`;

describe('the table of a run', () => {
  it('has what is wrong first, then what is slower', async () => {
    const { page } = await openPage(runs(), window);
    const formulas = await page.evaluate<string[]>(column(0));
    expect(formulas.slice(0, 3).map((name) => name.match(/\d+/)?.[0])).toEqual(['5', '0', '7']);
  });

  it('is sorted by a click on a title, by numbers as numbers, and turned by the next', async () => {
    const { page } = await openPage(runs(), window);
    const title = page.getByRole('button', { name: 'time' }).first();
    await title.click();
    const times = await page.evaluate<string[]>(column(4));
    expect(times[0]).toBe('10 ms');
    expect(times.at(-1)).toBe('127 ms');
    await title.click();
    expect((await page.evaluate<string[]>(column(4)))[0]).toBe('127 ms');
  });

  it('shows what is searched for, and says how much that is', async () => {
    const { page } = await openPage(runs(), window);
    await page.getByRole('searchbox').fill('slower timeout');
    expect(await page.evaluate<string[]>(column(0))).toHaveLength(6);
    expect(await page.locator('.filter').textContent()).toContain('6 of 40');
    await page.getByRole('searchbox').fill('');
    expect(await page.evaluate<string[]>(column(0))).toHaveLength(40);
  });

  it('is where a dot of a slowdown leads to', async () => {
    const { page } = await openPage(runs(), window);
    await page.locator('.slowdowns a').first().click();
    expect(page.url()).toMatch(/#formula-\d+$/);
  });
});

describe('what can be copied', () => {
  it('has a button that takes it whole', async () => {
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

it('without scripts shows the same', async () => {
  const text = runs().replace(/<script>[\s\S]*<\/script>/, '');
  const { page } = await openPage(text, window);
  expect(await page.evaluate<string[]>(column(0))).toHaveLength(40);
});

it('runs no script but its own', async () => {
  const { page, complaints } = await openPage(
    runs().replace('</body>', '<script>document.title = "taken"</script></body>'),
    window,
  );
  expect(await page.title()).toBe('z3@5.2.0 against z3@4.8.17');
  expect(complaints.join()).toContain('Content Security Policy');
});
