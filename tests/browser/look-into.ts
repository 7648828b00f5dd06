/** What a browser makes of a page: everything here is measured inside of it. */

import type { Page } from 'playwright-core';

/** As much of a browser's own world as is used here; the whole of it would stand open to every file of the project. */
interface Inside {
  readonly document: {
    readonly documentElement: PageElement;
    querySelectorAll(selector: string): ArrayLike<PageElement>;
    createRange(): PageRange;
  };
  getComputedStyle(element: PageElement): Readonly<Record<string, string>>;
}

interface PageElement {
  readonly tagName: string;
  readonly textContent: string;
  readonly parentElement: PageElement | null;
  readonly childNodes: ArrayLike<PageText>;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  closest(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  getBoundingClientRect(): Box;
  checkVisibility(): boolean;
}

interface PageText {
  readonly nodeType: number;
  readonly textContent: string;
}

interface PageRange {
  setStart(node: PageText, at: number): void;
  setEnd(node: PageText, at: number): void;
  getClientRects(): ArrayLike<Box>;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** How many pixels there are to scroll to the right, on the page and in its boxes. */
export function scrolls(page: Page): Promise<{ readonly page: number; readonly boxes: readonly number[] }> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    const [root, ...rest] = Array.from(document.querySelectorAll('html, pre, figure, .wide'));
    const hidden = (element: PageElement | undefined): number =>
      element === undefined ? 0 : element.scrollWidth - element.clientWidth;
    return { page: hidden(root), boxes: rest.map(hidden).filter((pixels) => pixels > 0) };
  });
}

export interface Written {
  /** Such as `p.quiet`, and how it begins. */
  readonly what: string;
  readonly colour: string;
  /** Of the element, of the one around it, and so on. */
  readonly behind: readonly string[];
}

/** Every element that has words of its own, with their colour. */
export function writings(page: Page): Promise<readonly Written[]> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Inside;
    const hasWords = ({ childNodes }: PageElement): boolean =>
      Array.from(childNodes).some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== '');
    const elements = Array.from(document.querySelectorAll('body, body *:not(svg title)')).filter(hasWords);
    return elements.map((element) => {
      const behind: string[] = [];
      for (let at: PageElement | null = element; at !== null; at = at.parentElement)
        behind.push(getComputedStyle(at).backgroundColor ?? '');
      const style = getComputedStyle(element);
      const isDrawn = element.closest('svg') !== null;
      return {
        what: `${element.tagName} ${element.textContent.trim().slice(0, 30)}`,
        colour: (isDrawn ? style.fill : style.color) ?? '',
        behind,
      };
    });
  });
}

/** Words of tables and commands, not too long ones, that do not stand on one line; a hyphen is where one of a table may end. */
export function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    const range = document.createRange();
    const places = 'th, th button, td, td a, td b, td code, pre.command, pre.command *';
    return Array.from(document.querySelectorAll(places)).flatMap((element) =>
      Array.from(element.childNodes)
        .filter(({ nodeType }) => nodeType === 3)
        .flatMap((text) =>
          [...text.textContent.matchAll(element.closest('pre') === null ? /[^\s-]+/g : /\S+/g)]
            .filter(([word]) => word.length <= 20)
            .filter(({ 0: word, index }) => {
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              const tops = Array.from(range.getClientRects()).map(({ top }) => Math.round(top));
              return new Set(tops).size > 1;
            })
            .map(([word]) => word),
        ),
    );
  });
}

/** Words in charts that stand on others, or partly outside of their chart. */
export function misplacedLabels(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    const most = 1;
    return Array.from(document.querySelectorAll('svg')).flatMap((svg) => {
      const outer = svg.getBoundingClientRect();
      const labels = Array.from(svg.querySelectorAll('text'))
        .filter(({ textContent }) => textContent !== '')
        .map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() }));
      const outside = labels.filter(
        ({ box }) =>
          box.left < outer.left - most ||
          box.right > outer.right + most ||
          box.top < outer.top - most ||
          box.bottom > outer.bottom + most,
      );
      const meeting = labels.flatMap(({ text, box }, at) =>
        labels
          .slice(at + 1)
          .filter(
            (other) =>
              Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > most &&
              Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > most,
          )
          .map((other) => `"${text}" on "${other.text}"`),
      );
      return [...outside.map(({ text }) => `"${text}" outside`), ...meeting];
    });
  });
}

/** How each text that can be long begins, if some of it is not to be seen. */
export function hiddenTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    return Array.from(document.querySelectorAll('pre, table'))
      .filter((text) => !text.checkVisibility() || text.scrollHeight > text.clientHeight)
      .map(({ textContent }) => textContent.slice(0, 30));
  });
}

/** The words of a drawing, with the colour of the box they stand in. */
export function drawnWords(page: Page): Promise<readonly Written[]> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Inside;
    const [paper] = Array.from(document.querySelectorAll('rect.page'));
    return Array.from(document.querySelectorAll('text')).map((words) => {
      const [box = paper] = Array.from(words.closest('g')?.querySelectorAll('rect') ?? []);
      const fill = (element: PageElement | undefined): string =>
        element === undefined ? '' : (getComputedStyle(element).fill ?? '');
      return { what: words.textContent, colour: fill(words), behind: [fill(box)] };
    });
  });
}

/** Where the boxes of a drawing begin, from above, by their first words. */
export function boxTops(page: Page): Promise<readonly (readonly [name: string, top: number])[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    return Array.from(document.querySelectorAll('g')).map((box) => {
      const [name] = Array.from(box.querySelectorAll('text'));
      return [name?.textContent ?? '', box.getBoundingClientRect().top] as const;
    });
  });
}
