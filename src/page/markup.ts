/** HTML and SVG templates that escape every inserted text. */

import { lookUp, visible } from '../machine/index.js';

/** Escaped text; only `html` creates it. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  static of(strings: TemplateStringsArray, values: readonly Content[]): Markup {
    return new Markup(strings.map((text, at) => text + rendered(values[at])).join(''));
  }
}

export type Content = string | number | undefined | Markup | readonly Content[];

/** @example html`<p title="${name}">${name}</p>` // one paragraph, whatever the name holds */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return Markup.of(strings, values);
}

function rendered(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  if (value instanceof Markup) return value.text;
  return value.map(rendered).join('');
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
