import { wordHash } from './hash.js';
import { isReserved } from './symbols.js';
import type { Name } from './tree.js';

/** A symbol of a text, with everything its readers ask about it. */
export interface Word {
  readonly text: string;
  /** A word of the language, not a name. */
  readonly isReserved: boolean;
  /** The one name node of this symbol, so that trees share it; made on first use. */
  name: Name | undefined;
}

/**
 * The symbols of a text, found by their characters: a formula repeats few names many times, and looking them up
 * without cutting each one out of the text first is most of a fast parser.
 */
export class Words {
  private buckets: (Word[] | undefined)[] = new Array(64);
  private count = 0;

  /** The symbol that stands at `source[start, end)`; `hash` is `wordHash` of those characters. */
  find(source: string, start: number, end: number, hash: number): Word {
    const { buckets } = this;
    const slot = hash & (buckets.length - 1);
    const bucket = buckets[slot];
    const length = end - start;
    if (bucket !== undefined) {
      for (const word of bucket) {
        if (word.text.length === length && source.startsWith(word.text, start)) return word;
      }
    }
    const text = source.slice(start, end);
    const word: Word = { text, isReserved: isReserved(text), name: undefined };
    if (bucket === undefined) buckets[slot] = [word];
    else bucket.push(word);
    this.count++;
    if (this.count > buckets.length * 2) this.grow();
    return word;
  }

  private grow(): void {
    const old = this.buckets;
    const buckets: (Word[] | undefined)[] = new Array(old.length * 4);
    for (const bucket of old) {
      for (const word of bucket ?? []) {
        const slot = wordHash(word.text) & (buckets.length - 1);
        const target = buckets[slot];
        if (target === undefined) buckets[slot] = [word];
        else target.push(word);
      }
    }
    this.buckets = buckets;
  }
}
