/** The words of a source file that a comparison considers, with their positions. */

import type { CodeToken } from '../../program/source/index.js';
import { beginsDirective, directiveKey, directiveWords, isInDirective } from './directive-words.js';

export interface CodeText {
  readonly text: string;
  readonly tokens: readonly CodeToken[];
}

/** Assigns equal keys to equal words, and stores which words structure a program. */
export class Vocabulary {
  readonly #keys = new Map<string, number>();
  readonly #traits: Traits[] = [];

  keyOf(word: string): number {
    const known = this.#keys.get(word);
    if (known !== undefined) return known;
    this.#keys.set(word, this.#traits.length);
    return this.#traits.push(traitsOfWord(word)) - 1;
  }

  traitsOf(key: number): Traits {
    return this.#traits[key] ?? noTraits;
  }

  /** Does a statement begin between two words, as far as that is visible without parsing? */
  isStatementBetween(before: number, after: number): boolean {
    const [above, below] = [this.traitsOf(before), this.traitsOf(after)];
    return above.endsStatement || below.beginsDirective || (above.isInDirective && !below.isInDirective);
  }
}

interface Traits {
  readonly nesting: number;
  readonly endsStatement: boolean;
  readonly isInDirective: boolean;
  readonly beginsDirective: boolean;
  /** A name or a value, as opposed to punctuation. */
  readonly hasContent: boolean;
}

const nestings: ReadonlyMap<string, number> = new Map([
  ...['(', '[', '{', ...['if', 'ifdef', 'ifndef'].map(directiveKey)].map((word) => [word, 1] as const),
  ...[')', ']', '}', directiveKey('endif')].map((word) => [word, -1] as const),
]);

function traitsOfWord(word: string): Traits {
  return {
    nesting: nestings.get(word) ?? 0,
    endsStatement: word === ';' || word === '{' || word === '}',
    isInDirective: isInDirective(word),
    beginsDirective: beginsDirective(word),
    hasContent: /[\w"'$\u0080-\uffff]/.test(word),
  };
}

const noTraits = traitsOfWord('');

/** The key of no word. It has no traits. */
export const noKey = -1;

/** The unit of comparison. Most tokens are one word. */
type CodeWord = Omit<CodeToken, 'kind'>;

export class CodeWords {
  readonly keys: Int32Array;
  readonly #words: readonly CodeWord[];

  private constructor(
    readonly text: string,
    readonly vocabulary: Vocabulary,
    words: readonly CodeWord[],
  ) {
    this.#words = words;
    this.keys = new Int32Array(words.length);
    words.forEach((word, at) => {
      this.keys[at] = vocabulary.keyOf(word.text);
    });
  }

  static of({ text, tokens }: CodeText, from: number, to: number, vocabulary: Vocabulary): CodeWords {
    const words: CodeWord[] = [];
    for (const token of tokens.slice(from, to)) {
      if (token.kind === 'directive') for (const word of wordsOfDirective(token, text)) words.push(word);
      else if (token.text === '>>') words.push(...closingAngles(token));
      else words.push(token);
    }
    return new CodeWords(text, vocabulary, words);
  }

  get length(): number {
    return this.keys.length;
  }

  /** Here and below, `at` must be the index of a word. */
  line(at: number): number {
    return this.#word(at).line;
  }

  endLine(at: number): number {
    return this.#word(at).endLine;
  }

  offset(at: number): number {
    return this.#word(at).offset;
  }

  end(at: number): number {
    return this.#word(at).end;
  }

  #word(at: number): CodeWord {
    const word = this.#words[at];
    if (word === undefined) throw new RangeError(`there is no word ${at}`);
    return word;
  }

  /** Is a word the first of its line? True at the end of the file. */
  beginsLine(at: number): boolean {
    return at <= 0 || at >= this.length || this.line(at) > this.endLine(at - 1);
  }

  isAfterBlankLine(at: number): boolean {
    return at <= 0 || at >= this.length || this.line(at) > this.endLine(at - 1) + 1;
  }

  beginsStatement(at: number): boolean {
    if (at <= 0 || at >= this.length) return true;
    return this.vocabulary.isStatementBetween(this.keys[at - 1] ?? noKey, this.keys[at] ?? noKey);
  }

  /** Change of the nesting depth in brackets and preprocessor conditions after a word. */
  nesting(at: number): number {
    return this.vocabulary.traitsOf(this.keys[at] ?? noKey).nesting;
  }
}

/** Splits a directive into words, so that one changed line of a long macro is one changed line. */
function wordsOfDirective({ line, offset, end }: CodeToken, text: string): readonly CodeWord[] {
  // From the text, because positions are offsets in the file.
  return directiveWords(text.slice(offset, end)).map((word) => ({
    text: word.key,
    line: line + word.line,
    endLine: line + word.endLine,
    offset: offset + word.from,
    end: offset + word.to,
  }));
}

/** Makes `a<b<c>>` equal to `a<b<c> >`. Splitting a shift operator does no harm. */
function closingAngles({ line, endLine, offset, end }: CodeToken): readonly CodeWord[] {
  return [
    { text: '>', line, endLine: line, offset, end: offset + 1 },
    { text: '>', line: endLine, endLine, offset: end - 1, end },
  ];
}
