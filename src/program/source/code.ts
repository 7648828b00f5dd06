import { isKeyword, isStatementWord } from './keywords.js';
import type { CodeToken } from './tokens.js';

enum WordKind {
  None = 0,
  Name = 1,
  Keyword = 2,
  StatementWord = 3,
}

const closers = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The tokens that are read, with their brackets matched. Everything that reads them does so by index. */
export class Code {
  private readonly words: Uint8Array;

  constructor(
    readonly tokens: readonly CodeToken[],
    /** For each opening bracket where it ends: at its closing one, or where something else made an end of it. */
    private readonly ends: Int32Array,
    readonly isCpp: boolean,
    private readonly written: string,
  ) {
    this.words = new Uint8Array(tokens.length);
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (token?.kind !== 'name') continue;
      const { text } = token;
      if (!isKeyword(text, isCpp)) this.words[i] = WordKind.Name;
      else this.words[i] = isStatementWord(text, isCpp) ? WordKind.StatementWord : WordKind.Keyword;
    }
  }

  /** Empty past the end. */
  text(i: number): string {
    return this.tokens[i]?.text ?? '';
  }

  is(i: number, text: string): boolean {
    return this.tokens[i]?.text === text;
  }

  kind(i: number): CodeToken['kind'] | undefined {
    return this.tokens[i]?.kind;
  }

  line(i: number): number {
    return this.tokens[i]?.line ?? this.tokens.at(-1)?.endLine ?? 1;
  }

  /** Where in the text it begins; past the end, where the last one ends. */
  offset(i: number): number {
    return this.tokens[i]?.offset ?? this.tokens.at(-1)?.end ?? 0;
  }

  endLine(i: number): number {
    return this.tokens[i]?.endLine ?? this.line(i);
  }

  /** How far a token that is the first on its line stands from the left edge; nothing for the others. */
  indentation(i: number): number | undefined {
    const token = this.tokens[i];
    const before = this.tokens[i - 1];
    if (token === undefined || (before !== undefined && before.endLine >= token.line)) return undefined;
    const written = this.written;
    let from = token.offset;
    while (from > 0 && written.charCodeAt(from - 1) !== 0x0a) from--;
    let width = 0;
    for (let at = from; at < token.offset; at++) {
      width = written.charCodeAt(at) === 0x09 ? width - (width % 8) + 8 : width + 1;
    }
    return width;
  }

  /** A name, not a word of the language. */
  isName(i: number): boolean {
    return this.words[i] === WordKind.Name;
  }

  /** A name or a word of the language. */
  isWord(i: number): boolean {
    return (this.words[i] ?? WordKind.None) !== WordKind.None;
  }

  isKeyword(i: number): boolean {
    return (this.words[i] ?? WordKind.None) >= WordKind.Keyword;
  }

  isStatementWord(i: number): boolean {
    return this.words[i] === WordKind.StatementWord;
  }

  /** Does a bracket open here? */
  opens(i: number): boolean {
    return (this.ends[i] ?? -1) !== -1;
  }

  /** Where the inside of the bracket that opens here ends. */
  end(open: number): number {
    return this.ends[open] ?? open + 1;
  }

  /** Behind the bracket that opens here and everything in it. */
  past(open: number): number {
    const end = this.end(open);
    return this.is(end, closers.get(this.text(open)) ?? '') ? end + 1 : end;
  }

  /** The next place at the same depth. */
  skip(i: number): number {
    return this.opens(i) ? this.past(i) : i + 1;
  }

  /**
   * Behind the `<...>` that opens here, if it looks like template arguments or parameters. How far is bounded: a
   * lone `<` must not make us read the rest of the file each time.
   */
  pastAngles(open: number, to: number): number | undefined {
    if (!this.is(open, '<')) return undefined;
    const limit = Math.min(to, open + 200);
    let depth = 0;
    for (let i = open; i < limit; i = this.skip(i)) {
      const text = this.text(i);
      if (text === '<') depth++;
      else if (text === '>') depth--;
      else if (text === '>>') depth -= 2;
      else if (text === ';' || text === '{' || text === '}' || text === '||') return undefined;
      if (depth <= 0) return i + 1;
    }
    return undefined;
  }

  /** Where the `<...>` that closes here opens, if it looks like template arguments. */
  anglesBefore(close: number, from: number): number | undefined {
    const limit = Math.max(from, close - 64);
    let depth = 0;
    for (let i = close; i >= limit; i--) {
      const text = this.text(i);
      if (text === '>') depth++;
      else if (text === '>>') depth += 2;
      else if (text === '<') depth--;
      else if (text === ';' || text === '{' || text === '}' || text === '&&' || text === '||')
        return undefined;
      if (depth === 0) return i;
    }
    return undefined;
  }
}
