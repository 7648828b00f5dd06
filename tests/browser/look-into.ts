/** Measurements inside the browser. */

import type { Page } from 'playwright-core';

/** The part of the DOM types that is used here. The full DOM types would apply to every file of the project. */
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

/** Horizontal scroll distance in pixels, of the page and of its boxes. */
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
  /** Such as `p.quiet`, and the start of its text. */
  readonly what: string;
  readonly colour: string;
  /** Backgrounds of the element and its ancestors. */
  readonly behind: readonly string[];
}

/** All elements with text, and their colours. */
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

/** Short words of tables and commands that break across lines; table words may break at a hyphen. */
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

/** Chart labels that overlap, or lie partly outside their chart. */
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

/** The start of each long text that is partly hidden. */
export function hiddenTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    return Array.from(document.querySelectorAll('pre, table'))
      .filter((text) => !text.checkVisibility() || text.scrollHeight > text.clientHeight)
      .map(({ textContent }) => textContent.slice(0, 30));
  });
}

/** Texts of a drawing with the colour of their box. */
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

/** Top coordinates of a drawing's boxes by name. */
export function boxTops(page: Page): Promise<readonly (readonly [name: string, top: number])[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as Inside;
    return Array.from(document.querySelectorAll('g')).map((box) => {
      const [name] = Array.from(box.querySelectorAll('text'));
      return [name?.textContent ?? '', box.getBoundingClientRect().top] as const;
    });
  });
}
