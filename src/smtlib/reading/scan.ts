import { nextHash } from './hash.js';

/** Tokens of SMT-LIB text. The scanner allocates no objects: a token is its kind, start and end. */

export enum Token {
  End,
  Open,
  Close,
  Symbol,
  QuotedSymbol,
  Keyword,
  Numeral,
  Decimal,
  Hexadecimal,
  Binary,
  String,
  Rational,
  Field,
}

/** Carries the offset of an error up to the parser's entry, which turns it into a located fault. */
export class ScanError extends Error {
  override readonly name = 'ScanError';
  constructor(
    readonly offset: number,
    message: string,
    readonly expected?: string | undefined,
    readonly found?: string | undefined,
  ) {
    super(message);
  }
}

enum CharacterClass {
  Other = 0,
  Space = 1,
  Symbol = 2,
  Digit = 3,
}

const classes = new Uint8Array(128);
for (const c of ' \t\r\n\f') classes[c.charCodeAt(0)] = CharacterClass.Space;
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ~!@$%^&*_-+=<>.?/') {
  classes[c.charCodeAt(0)] = CharacterClass.Symbol;
}
for (const c of '0123456789') classes[c.charCodeAt(0)] = CharacterClass.Digit;

export function isSimpleSymbol(text: string): boolean {
  if (text.length === 0 || classOf(text.charCodeAt(0)) !== CharacterClass.Symbol) return false;
  for (let i = 1; i < text.length; i++) {
    if (classOf(text.charCodeAt(i)) < CharacterClass.Symbol) return false;
  }
  return true;
}

function classOf(code: number): CharacterClass {
  return code < 128 ? (classes[code] ?? CharacterClass.Other) : CharacterClass.Other;
}

const describeCharacter = (code: number): string =>
  code > 0x20 && code < 0x7f
    ? `'${String.fromCharCode(code)}'`
    : `character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

export class Scanner {
  token: Token = Token.End;
  start = 0;
  end = 0;
  /** For a symbol without bars: its `wordHash`. */
  hash = 0;
  /** For a string: it contains a doubled quote. */
  hasQuote = false;
  /** For a string: it contains a backslash or a character other than printable ASCII. */
  hasSpecial = false;
  /** Comments skipped since the caller last cleared the list. */
  comments: string[] = [];

  constructor(readonly source: string) {}

  next(): Token {
    const { source } = this;
    const size = source.length;
    let at = this.end;
    let code = 0;
    for (;;) {
      if (at >= size) {
        this.start = size;
        this.end = size;
        this.token = Token.End;
        return Token.End;
      }
      code = source.charCodeAt(at);
      if (code === 0x3b) {
        let lineEnd = source.indexOf('\n', at);
        if (lineEnd === -1) lineEnd = size;
        this.comments.push(source.slice(at + 1, lineEnd).trimEnd());
        at = lineEnd;
      } else if (classOf(code) !== CharacterClass.Space) {
        break;
      } else {
        at++;
      }
    }
    this.start = at;
    const kind = classOf(code);
    if (code === 0x28) {
      this.end = at + 1;
      this.token = Token.Open;
    } else if (code === 0x29) {
      this.end = at + 1;
      this.token = Token.Close;
    } else if (kind === CharacterClass.Symbol) {
      this.end = this.skipSymbol(at, code);
      this.token = Token.Symbol;
    } else if (kind === CharacterClass.Digit) {
      this.token = this.number(at);
    } else if (code === 0x22) {
      this.token = this.string(at);
    } else if (code === 0x7c) {
      this.token = this.quotedSymbol(at);
    } else if (code === 0x3a) {
      this.end = this.skipWord(at + 1);
      if (this.end === at + 1) throw new ScanError(at, "a keyword's name is missing after ':'");
      this.token = Token.Keyword;
    } else if (code === 0x23) {
      this.token = this.bits(at);
    } else {
      throw new ScanError(at, `unexpected ${describeCharacter(code)}`);
    }
    return this.token;
  }

  isAt(token: Token): boolean {
    return this.token === token;
  }

  /** The text of the last token; a quoted symbol without its bars. */
  text(): string {
    return this.token === Token.QuotedSymbol
      ? this.source.slice(this.start + 1, this.end - 1)
      : this.source.slice(this.start, this.end);
  }

  rawText(): string {
    return this.source.slice(this.start, this.end);
  }

  /** The body of the last string, with quotes undoubled. */
  stringBody(): string {
    const body = this.source.slice(this.start + 1, this.end - 1);
    return this.hasQuote ? body.replaceAll('""', '"') : body;
  }

  private skipSymbol(from: number, first: number): number {
    const { source } = this;
    const size = source.length;
    let hash = nextHash(0, first);
    let at = from + 1;
    while (at < size) {
      const code = source.charCodeAt(at);
      if (classOf(code) < CharacterClass.Symbol) break;
      hash = nextHash(hash, code);
      at++;
    }
    this.hash = hash;
    return at;
  }

  private skipWord(from: number): number {
    const { source } = this;
    let at = from;
    while (at < source.length && classOf(source.charCodeAt(at)) >= CharacterClass.Symbol) at++;
    return at;
  }

  private skipDigits(from: number): number {
    const { source } = this;
    let at = from;
    while (at < source.length && classOf(source.charCodeAt(at)) === CharacterClass.Digit) at++;
    return at;
  }

  private number(from: number): Token {
    const { source } = this;
    let at = this.skipDigits(from + 1);
    let kind = Token.Numeral;
    if (source.charCodeAt(at) === 0x2e) {
      // Z3 reads `1.` as `1.0`.
      at = this.skipDigits(at + 1);
      kind = Token.Decimal;
    } else if (source.charCodeAt(at) === 0x2f) {
      const denominator = this.skipDigits(at + 1);
      if (denominator > at + 1) {
        at = denominator;
        kind = Token.Rational;
      }
    }
    if (at < source.length && classOf(source.charCodeAt(at)) >= CharacterClass.Symbol) {
      throw new ScanError(
        from,
        `'${source.slice(from, this.skipWord(at))}' is neither a number nor a symbol`,
      );
    }
    this.end = at;
    return kind;
  }

  private bits(from: number): Token {
    const { source } = this;
    const letter = source[from + 1];
    const end = this.skipWord(from + 1);
    const digits = source.slice(from + 2, end);
    this.end = end;
    if (letter === 'x' && /^[0-9a-fA-F]+$/.test(digits)) return Token.Hexadecimal;
    if (letter === 'b' && /^[01]+$/.test(digits)) return Token.Binary;
    if (letter === 'f' && /^-?\d+m\d+$/.test(digits)) return Token.Field;
    throw new ScanError(from, `'${source.slice(from, Math.max(end, from + 1))}' is neither #x… nor #b…`);
  }

  private quotedSymbol(from: number): Token {
    const close = this.source.indexOf('|', from + 1);
    if (close === -1) throw new ScanError(from, "the symbol's closing '|' is missing");
    const slash = this.source.slice(from, close).indexOf('\\');
    if (slash !== -1) throw new ScanError(from + slash, "a quoted symbol cannot contain '\\'");
    this.end = close + 1;
    return Token.QuotedSymbol;
  }

  private string(from: number): Token {
    const { source } = this;
    this.hasQuote = false;
    this.hasSpecial = false;
    let at = from + 1;
    for (;;) {
      if (at >= source.length) throw new ScanError(from, "the string's closing quote is missing");
      const code = source.charCodeAt(at);
      if (code === 0x22) {
        if (source.charCodeAt(at + 1) !== 0x22) break;
        this.hasQuote = true;
        at += 2;
      } else {
        if (code < 0x20 || code > 0x7e || code === 0x5c) this.hasSpecial = true;
        at++;
      }
    }
    this.end = at + 1;
    return Token.String;
  }
}
