import { canonicalNames, namesOfOldFormulas } from '../dialect.js';
import type { Name, Sort } from '../tree.js';
import { wordHash } from './hash.js';
import { isReserved } from './symbols.js';

/** A symbol, with everything readers ask about it. */
export interface Word {
  readonly text: string;
  /** A word of the language, not a name. */
  readonly isReserved: boolean;
  /** A name of another dialect, which the tree holds under its canonical one. */
  readonly isForeign: boolean;
  /** A name that only SMT-LIB 2.5 has. */
  readonly isOld: boolean;
  /** A word that binds variables, where the formula has not declared it itself. */
  readonly binder: 'choice' | 'comprehension' | undefined;
  /** The nodes of this symbol as a term and as a sort, one each so that trees share them. */
  readonly name: Name;
  readonly sort: Sort;
}

/**
 * The symbols of texts, found by their characters: formulas repeat few names many times, and looking them up without
 * cutting each one out of the text first is most of a fast parser.
 */
export class Words {
  private buckets: (Word[] | undefined)[] = new Array(512);
  count = 0;

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
    isOld: namesOfOldFormulas.has(text),
    binder: text === 'choice' ? 'choice' : text === 'set.comprehension' ? 'comprehension' : undefined,
    name: { kind: 'name', id: { symbol: canonical ?? text, indices: none, sort: undefined } },
    sort: { symbol: text, indices: none, args: none },
  };
}

/** V8 keeps the whole text alive for a part of 13 characters or more that was cut out of it. */
function ownCopy(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** More symbols than this are not carried over to the next text. */
const carriedOver = 4096;

let shared = new Words();

/** The symbols of earlier texts: formulas of one search use the same names over and over. */
export function sharedWords(): Words {
  if (shared.count > carriedOver) shared = new Words();
  return shared;
}
