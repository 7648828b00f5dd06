import { lookUp } from '../../../machine/index.js';
import { qualifierWords } from './mangled-words.js';

/** It is no symbol of C++, or holds what is not read. */
export class NotRead extends Error {}

/** The text of a symbol, and how far it was read. */
export class SymbolText {
  at = 0;

  constructor(private readonly text: string) {}

  /** The next letter; nothing at the end. */
  get here(): string {
    return this.text[this.at] ?? '';
  }

  get nextTwo(): string {
    return this.text.slice(this.at, this.at + 2);
  }

  get rest(): string {
    return this.text.slice(this.at);
  }

  skip(letters: number): void {
    this.at += letters;
  }

  startsWith(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  take(word: string): boolean {
    if (!this.startsWith(word)) return false;
    this.at += word.length;
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) throw new NotRead();
  }

  /** @param pattern of what is next, which begins with `^` */
  match(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.rest) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }

  /** @param pattern of what may be next, which begins with `^` */
  isNext(pattern: RegExp): boolean {
    return pattern.test(this.rest);
  }

  letters(many: number): string {
    const letters = this.text.slice(this.at, this.at + many);
    if (letters.length < many) throw new NotRead();
    this.at += many;
    return letters;
  }

  /** A name with its length before it. */
  source(): string {
    const length = this.number();
    if (length <= 0) throw new NotRead();
    const name = this.letters(length);
    return /^_GLOBAL_[._$]N/.test(name) ? '(anonymous namespace)' : name;
  }

  qualifiers(): string {
    let found = '';
    for (;;) {
      const word = lookUp(qualifierWords, this.here);
      if (word === undefined) return found;
      found = word + found;
      this.skip(1);
    }
  }

  /** What tells names apart that are the same in one function. */
  skipDiscriminator(): void {
    this.match(/^_(\d|_\d+_)/);
  }

  number(): number {
    const [found] = this.match(/^n?\d+/) ?? [];
    if (found === undefined) throw new NotRead();
    return Number(found.replace('n', '-'));
  }

  /** `_` is the first, which is 0, `0_` the second. */
  sequence(): number {
    return this.#sequence(/^(\d*)_/, 10);
  }

  /** The same with letters, too. */
  letteredSequence(): number {
    return this.#sequence(/^([0-9A-Z]*)_/, 36);
  }

  #sequence(pattern: RegExp, base: number): number {
    const [, digits] = this.match(pattern) ?? [];
    if (digits === undefined) throw new NotRead();
    return digits === '' ? 0 : Number.parseInt(digits, base) + 1;
  }
}
