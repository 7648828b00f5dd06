/** The words of a source file: what counts when two versions are compared, and where it stands. */

import type { CodeToken } from '../../program/source/index.js';
import { beginsDirective, directiveKey, directiveWords, isInDirective } from './directive-words.js';

/** A source file, read into tokens. */
export interface CodeText {
  readonly text: string;
  readonly tokens: readonly CodeToken[];
}

/** Gives equal words equal keys, and knows what words mean to the shape of a program. */
export class WordKeys {
  readonly #keys = new Map<string, number>();
  readonly #traits: Traits[] = [];

  keyOf(word: string): number {
    const known = this.#keys.get(word);
    if (known !== undefined) return known;
    const key = this.#traits.length;
    this.#keys.set(word, key);
    this.#traits.push({
      nesting: nestings.get(word) ?? 0,
      endsStatement: word === ';' || word === '{' || word === '}',
      isInDirective: isInDirective(word),
      beginsDirective: beginsDirective(word),
      hasContent: /[\w"'$\u0080-\uffff]/.test(word),
    });
    return key;
  }

  traitsOf(key: number): Traits {
    return this.#traits[key] ?? noTraits;
  }

  /** Does a statement begin between two words, as far as one can see without reading the program? */
  isStatementBetween(before: number, after: number): boolean {
    const [above, below] = [this.traitsOf(before), this.traitsOf(after)];
    return above.endsStatement || below.beginsDirective || (above.isInDirective && !below.isInDirective);
  }
}

interface Traits {
  /** By how much what follows lies deeper. */
  readonly nesting: number;
  readonly endsStatement: boolean;
  readonly isInDirective: boolean;
  readonly beginsDirective: boolean;
  /** A name or a value, not a mark between them. */
  readonly hasContent: boolean;
}

const noTraits: Traits = {
  nesting: 0,
  endsStatement: false,
  isInDirective: false,
  beginsDirective: false,
  hasContent: false,
};

const nestings: ReadonlyMap<string, number> = new Map([
  ...['(', '[', '{', ...['if', 'ifdef', 'ifndef'].map(directiveKey)].map((word) => [word, 1] as const),
  ...[')', ']', '}', directiveKey('endif')].map((word) => [word, -1] as const),
]);

/** Of no word: it has no traits. */
export const noKey = -1;

/** What is compared; most tokens are one as they are. */
type CodeWord = Omit<CodeToken, 'kind'>;

/** The words of one version, or of a stretch of it. */
export class CodeWords {
  readonly keys: Int32Array;
  readonly #words: readonly CodeWord[];

  private constructor(
    /** Of the whole file. */
    readonly text: string,
    readonly vocabulary: WordKeys,
    words: readonly CodeWord[],
  ) {
    this.#words = words;
    this.keys = new Int32Array(words.length);
    words.forEach((word, at) => {
      this.keys[at] = vocabulary.keyOf(word.text);
    });
  }

  /** Of the tokens `[from, to)`. */
  static of({ text, tokens }: CodeText, from: number, to: number, vocabulary: WordKeys): CodeWords {
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

  /** `at` must be the number of a word, here and below. */
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

  /** Does a word stand first in its line? So does the end of the file. */
  beginsLine(at: number): boolean {
    return at <= 0 || at >= this.length || this.line(at) > this.endLine(at - 1);
  }

  /** Is there a line without code, blank or a comment, before a word? */
  isAfterGap(at: number): boolean {
    return at <= 0 || at >= this.length || this.line(at) > this.endLine(at - 1) + 1;
  }

  /** Does a word stand first in a statement? */
  beginsStatement(at: number): boolean {
    if (at <= 0 || at >= this.length) return true;
    return this.vocabulary.isStatementBetween(this.keys[at - 1] ?? noKey, this.keys[at] ?? noKey);
  }

  /** By how much what follows a word lies deeper in brackets and conditions of the preprocessor. */
  nesting(at: number): number {
    return this.vocabulary.traitsOf(this.keys[at] ?? noKey).nesting;
  }
}

/** CodeWord by word, so that one changed line of a long macro is one changed line. */
function wordsOfDirective({ line, offset, end }: CodeToken, text: string): readonly CodeWord[] {
  // As it is written: places are counted in the file.
  return directiveWords(text.slice(offset, end)).map((word) => ({
    text: word.key,
    line: line + word.line,
    endLine: line + word.endLine,
    offset: offset + word.from,
    end: offset + word.to,
  }));
}

/** `a<b<c>>` and `a<b<c> >` are the same; as a shift, two words do no harm. */
function closingAngles({ line, endLine, offset, end }: CodeToken): readonly CodeWord[] {
  return [
    { text: '>', line, endLine: line, offset, end: offset + 1 },
    { text: '>', line: endLine, endLine, offset: end - 1, end },
  ];
}
