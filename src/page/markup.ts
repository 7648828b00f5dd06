/** HTML and SVG that cannot be broken out of: text is escaped unless it was made here. */

import { lookUp, visible } from '../machine/index.js';

/** Text that is safe to stand in a page; only `html` makes it. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  static of(strings: TemplateStringsArray, values: readonly Content[]): Markup {
    return new Markup(strings.map((text, at) => text + written(values[at])).join(''));
  }
}

export type Content = string | number | undefined | Markup | readonly Content[];

/**
 * @example
 * html`<p title="${name}">${name}</p>` // whatever the name holds, it is one paragraph
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return Markup.of(strings, values);
}

function written(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  if (value instanceof Markup) return value.text;
  return value.map(written).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (letter) => lookUp(entities, letter) ?? '');
}
