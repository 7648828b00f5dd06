import { describe, expect, it } from 'vitest';
import { blocksDrawing, statementsDrawing } from './change-pages.js';
import { contrast } from './contrast.js';
import { keepPicture } from './keep-picture.js';
import { boxTops, drawnWords, misplacedLabels } from './look-into.js';
import { openPage } from './open-page.js';

/** WCAG 2.2, 1.4.3. */
const readable = 4.5;

const drawings = { blocks: blocksDrawing, statements: statementsDrawing };

/** Playwright takes pictures only of pages. */
async function keepDrawing(drawing: string, name: string, colours: 'light' | 'dark'): Promise<void> {
  if (!process.env.CULPRIT_PICTURES) return;
  const { page } = await openPage(`<!doctype html><body>${drawing}`, { width: 1280, colours });
  await keepPicture(page, `drawing of ${name} ${colours}`);
}

describe.each(Object.entries(drawings))('SVG file of %s', (name, made) => {
  it.each(['light', 'dark'] as const)('is readable in %s colours and loads nothing', async (colours) => {
    const drawing = await made();
    await keepDrawing(drawing, name, colours);
    const { page, complaints } = await openPage(drawing, { width: 1280, colours }, 'changes.svg');
    expect(complaints).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    const words = await drawnWords(page);
    expect(words.filter((some) => contrast(some) < readable)).toEqual([]);
    const [title] = words;
    expect(title?.what).toMatch(/^change sequence graph of [0-9a-f]{10}/);
    expect(await page.title()).toBe(title?.what);
    // In dark mode, the background is dark too.
    const isDark = /^rgb\((\d+),/.exec(title?.behind[0] ?? '')?.[1];
    expect(Number(isDark) < 128).toBe(colours === 'dark');
  });
});

describe('drawing of blocks', () => {
  it('begins with the entry and ends with the exit', async () => {
    const { page } = await openPage(await blocksDrawing(), { width: 1280, colours: 'light' }, 'changes.svg');
    const tops = await boxTops(page);
    const inOrder = tops.toSorted(([, a], [, b]) => a - b).map(([box]) => box);
    expect([inOrder[0], inOrder.at(-1)]).toEqual(['entry', 'exit']);
    const [first = 0, second = 0] = tops.map(([, top]) => top).toSorted((a, b) => a - b);
    expect(second).toBeGreaterThan(first);
  });
});
