import { canonicalNames, oldOnlyNames } from '../dialect.js';
import type { Name, Sort } from '../tree.js';
import { wordHash } from './hash.js';
import { isReserved } from './symbols.js';

/** A symbol with the properties that readers need. */
export interface Word {
  readonly text: string;
  readonly isReserved: boolean;
  /** A name of another dialect; the tree uses its canonical name. */
  readonly isForeign: boolean;
  readonly isOld: boolean;
  /** Set for a binder, unless the formula declares the name. */
  readonly binder: 'choice' | 'comprehension' | undefined;
  /** The symbol as a term and as a sort, shared by all trees. */
  readonly name: Name;
  readonly sort: Sort;
}

/**
 * Interned symbols, looked up by their characters in the source: formulas repeat few names often, and avoiding a
 * slice for each token is most of a fast parser.
 */
export class Words {
  private buckets: (Word[] | undefined)[] = new Array(512);
  count = 0;

  /** The symbol at `source[start, end)`; `hash` is the `wordHash` of those characters. */
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
    const word = newWord(ownCopy(source.slice(start, end)));
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

const none: readonly never[] = [];

function newWord(text: string): Word {
  const canonical = canonicalNames.get(text);
  return {
    text,
    isReserved: isReserved(text),
    isForeign: canonical !== undefined,
    isOld: oldOnlyNames.has(text),
    binder: text === 'choice' ? 'choice' : text === 'set.comprehension' ? 'comprehension' : undefined,
    name: { kind: 'name', id: { symbol: canonical ?? text, indices: none, sort: undefined } },
    sort: { symbol: text, indices: none, args: none },
  };
}

/** V8 keeps the whole text alive for a slice of 13 or more characters. */
function ownCopy(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** With more symbols than this, the table is discarded before the next text. */
const maxSharedWords = 4096;

let shared = new Words();

/** Symbols are shared between texts: formulas of one search use the same names. */
export function sharedWords(): Words {
  if (shared.count > maxSharedWords) shared = new Words();
  return shared;
}
