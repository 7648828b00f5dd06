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

/** A file's tokens with matched brackets. Readers address tokens by index. */
export class Code {
  private readonly words: Uint8Array;

  constructor(
    readonly tokens: readonly CodeToken[],
    /** For each opening bracket the index at which it ends: its closing bracket or a token that cut it off. */
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

  /** Offset in the text; past the last token, the end of the text read. */
  offset(i: number): number {
    return this.tokens[i]?.offset ?? this.tokens.at(-1)?.end ?? 0;
  }

  endLine(i: number): number {
    return this.tokens[i]?.endLine ?? this.line(i);
  }

  /** Column of a token that is the first on its line; undefined for other tokens. */
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

  isName(i: number): boolean {
    return this.words[i] === WordKind.Name;
  }

  isWord(i: number): boolean {
    return (this.words[i] ?? WordKind.None) !== WordKind.None;
  }

  isKeyword(i: number): boolean {
    return (this.words[i] ?? WordKind.None) >= WordKind.Keyword;
  }

  isStatementWord(i: number): boolean {
    return this.words[i] === WordKind.StatementWord;
  }

  opens(i: number): boolean {
    return (this.ends[i] ?? -1) !== -1;
  }

  end(open: number): number {
    return this.ends[open] ?? open + 1;
  }

  past(open: number): number {
    const end = this.end(open);
    return this.is(end, closers.get(this.text(open)) ?? '') ? end + 1 : end;
  }

  /** The next index at the same depth. */
  skip(i: number): number {
    return this.opens(i) ? this.past(i) : i + 1;
  }

  /**
   * Index after `<...>`, if it looks like template arguments or parameters. The search is bounded: a lone `<` must
   * not cost a scan of the whole file.
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

  /** Index of the `<` of the `<...>` that ends here, if it looks like template arguments. */
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
