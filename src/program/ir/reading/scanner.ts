/** Tokens of LLVM's textual IR. The scanner holds one token at a time and interprets it on demand. */

export type TokenKind =
  /** A keyword, a type's name, an opcode, a metadata class after its `!`. */
  | 'word'
  | 'number'
  /** `%name`, `%"any name"`, `%12` */
  | 'local'
  | 'global'
  /** `!12`, `!llvm.dbg.cu`, `!DILocation` */
  | 'metadata'
  /** `!"text"` */
  | 'metadata-string'
  /** `#12` */
  | 'attributes'
  /** `#dbg_value` */
  | 'record'
  | 'comdat'
  | 'string'
  /** `c"text"` */
  | 'bytes'
  /** `name:` at the beginning of a block or before a field of metadata */
  | 'label'
  | 'punctuation'
  /** From a quote that is never closed to the end of its line. */
  | 'unclosed'
  | 'end';

/** Unreadable text from this offset on. The reader of a larger part catches it; it never leaves this module. */
export class ReadError extends Error {
  constructor(
    readonly expected: string,
    /** Undefined at the end of the text. */
    readonly found: string | undefined,
    readonly offset: number,
  ) {
    super(`${expected} is expected where ${found === undefined ? 'the text ends' : `there is “${found}”`}`);
  }
}

/** Character classes. */
const nameCharacter = 1;
const digit = 2;
const space = 4;
const classes = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$._-')
  classes[character.charCodeAt(0)] = nameCharacter;
for (const character of '0123456789') classes[character.charCodeAt(0)] = nameCharacter | digit;
for (const character of ' \t\r\n') classes[character.charCodeAt(0)] = space;

const code = {
  newline: 10,
  quote: 34,
  hash: 35,
  dollar: 36,
  percent: 37,
  exclamation: 33,
  colon: 58,
  semicolon: 59,
  at: 64,
  backslash: 92,
  c: 99,
  minus: 45,
} as const;

const markKinds: ReadonlyMap<number, TokenKind> = new Map([
  [code.percent, 'local'],
  [code.at, 'global'],
  [code.dollar, 'comdat'],
]);

const numberPattern = /^(?:-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|[us]?0x[KLMHR]?[\dA-Fa-f]+)$/;

export class Scanner {
  kind: TokenKind = 'end';
  /** A name without its mark; a string without its quotes, not yet unescaped. */
  text = '';
  /** Offset of the token. */
  start = 0;
  /** The first token of its line. */
  isFirst = true;
  /** Indentation of the line, if the token is its first. */
  indent = 0;
  #next: number;
  #depth = 0;

  /**
   * @param source the whole text
   * @param from begin of the part to read
   * @param to end of the part
   */
  constructor(
    private readonly source: string,
    from = 0,
    private readonly to = source.length,
  ) {
    this.#next = from;
    this.advance();
  }

  /** End offset of the token. */
  get end(): number {
    return this.#next;
  }

  advance(): void {
    const at = this.#afterSpace(this.#next);
    this.start = at;
    if (at >= this.to) {
      this.#set('end', '', this.to);
      return;
    }
    const first = this.source.charCodeAt(at);
    const mark = markKinds.get(first);
    if (mark !== undefined) this.#marked(mark, at);
    else if (first === code.exclamation) this.#metadata(at);
    else if (first === code.hash) this.#hashed(at);
    else if (first === code.quote) this.#quoted(at);
    else if (first === code.c && this.source.charCodeAt(at + 1) === code.quote) this.#bytes(at);
    else if (isName(first)) this.#word(at);
    else this.#set('punctuation', this.source.charAt(at), at + 1);
  }

  #afterSpace(from: number): number {
    let at = from;
    let lineStart = from === 0 ? 0 : -1;
    for (; at < this.to; at++) {
      let next = this.source.charCodeAt(at);
      if (next === code.semicolon) {
        const newline = this.source.indexOf('\n', at);
        at = newline === -1 ? this.to : newline;
        next = code.newline;
      }
      if (next === code.newline) lineStart = at + 1;
      else if (!isOf(next, space)) break;
    }
    this.isFirst = lineStart !== -1;
    this.indent = at - lineStart;
    return at;
  }

  /** `%name`, `@"name"`; a mark alone is punctuation. */
  #marked(kind: TokenKind, at: number): void {
    if (this.source.charCodeAt(at + 1) === code.quote) {
      const close = this.#closingQuote(at + 1);
      if (close === undefined) return;
      this.#set(kind, unescapedName(this.source.slice(at + 2, close)), close + 1);
      return;
    }
    const end = this.#nameEnd(at + 1);
    if (end === at + 1) this.#set('punctuation', this.source.charAt(at), end);
    else if (kind === 'comdat' && this.source.charCodeAt(end) === code.colon)
      this.#set('label', this.source.slice(at, end), end + 1);
    else this.#set(kind, this.source.slice(at + 1, end), end);
  }

  #metadata(at: number): void {
    if (this.source.charCodeAt(at + 1) === code.quote) {
      const close = this.#closingQuote(at + 1);
      if (close === undefined) return;
      this.#set('metadata-string', this.source.slice(at + 2, close), close + 1);
      return;
    }
    let end = this.#nameEnd(at + 1);
    while (this.source.charCodeAt(end) === code.backslash) end = this.#nameEnd(end + 1);
    if (end === at + 1) this.#set('punctuation', '!', end);
    else this.#set('metadata', this.source.slice(at + 1, end), end);
  }

  #hashed(at: number): void {
    const end = this.#nameEnd(at + 1);
    const text = this.source.slice(at + 1, end);
    if (text === '') this.#set('punctuation', '#', end);
    else this.#set(/^\d+$/.test(text) ? 'attributes' : 'record', text, end);
  }

  #bytes(at: number): void {
    const close = this.#closingQuote(at + 1);
    if (close === undefined) return;
    this.#set('bytes', this.source.slice(at + 2, close), close + 1);
  }

  #quoted(at: number): void {
    const close = this.#closingQuote(at);
    if (close === undefined) return;
    const text = this.source.slice(at + 1, close);
    if (this.source.charCodeAt(close + 1) === code.colon) this.#set('label', unescapedName(text), close + 2);
    else this.#set('string', text, close + 1);
  }

  /** A word, a number, a label or dots. */
  #word(at: number): void {
    let end = this.#nameEnd(at);
    const text = this.source.slice(at, end);
    // `1.0e+05` contains a sign.
    if (text.endsWith('e') && this.source[end] === '+' && /^-?\d/.test(text)) {
      end = this.#nameEnd(end + 1);
      this.#set('number', this.source.slice(at, end), end);
    } else if (this.source.charCodeAt(end) === code.colon) this.#set('label', text, end + 1);
    else if (text === '...') this.#set('punctuation', text, end);
    else if (isNumberStart(text) && numberPattern.test(text)) this.#set('number', text, end);
    else this.#set('word', text, end);
  }

  #nameEnd(from: number): number {
    let at = from;
    while (at < this.to && isName(this.source.charCodeAt(at))) at++;
    return at;
  }

  /** If it is missing, the rest of the line is one unclosed token. */
  #closingQuote(at: number): number | undefined {
    const close = this.source.indexOf('"', at + 1);
    if (close !== -1 && close < this.to) return close;
    const newline = this.source.indexOf('\n', at);
    const end = newline === -1 ? this.to : Math.min(newline, this.to);
    this.#set('unclosed', this.source.slice(at, end), end);
    return undefined;
  }

  #set(kind: TokenKind, text: string, end: number): void {
    this.kind = kind;
    this.text = text;
    this.#next = end;
  }

  /** Checks for this punctuation or keyword. */
  is(text: string): boolean {
    return this.text === text && (this.kind === 'punctuation' || this.kind === 'word');
  }

  isKind(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  /** Advances past it if it is the current token. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail(`“${text}”`);
  }

  /** A list with commas up to the closing bracket; the opening one was read. */
  listUpTo<Item>(close: string, readItem: (scanner: Scanner) => Item): readonly Item[] {
    const list: Item[] = [];
    if (!this.is(close))
      do list.push(this.nested(readItem));
      while (this.accept(','));
    this.expect(close);
    return list;
  }

  /** The text of the current token, which must be of this kind. */
  take(kind: TokenKind): string {
    if (this.kind !== kind) this.fail(tokenNames[kind] ?? kind);
    const { text } = this;
    this.advance();
    return text;
  }

  takeNumber(): number {
    return Number(this.take('number'));
  }

  /**
   * Reads one level deeper. Readers of types and values, and code that works on them, are recursive, so the depth is
   * limited.
   */
  nested<Inner>(read: (scanner: Scanner) => Inner): Inner {
    if (this.#depth >= maxDepth) this.fail('less nesting');
    this.#depth++;
    const inner = read(this);
    this.#depth--;
    return inner;
  }

  fail(expected: string): never {
    // The caller resumes at the beginning of another entity.
    this.#depth = 0;
    throw new ReadError(expected, this.kind === 'end' ? undefined : this.text, this.start);
  }

  /** Skips up to the bracket that closes the current one. */
  skipBrackets(): void {
    let depth = 0;
    do {
      if (this.kind === 'end') this.fail('a closing bracket');
      if (this.kind === 'punctuation') {
        if (opening.has(this.text)) depth++;
        else if (closing.has(this.text)) depth--;
      }
      this.advance();
    } while (depth > 0);
  }
}

/** Deeper than types and constants in any compiler's output. */
const maxDepth = 200;

const opening: ReadonlySet<string> = new Set(['(', '[', '{', '<']);
const closing: ReadonlySet<string> = new Set([')', ']', '}', '>']);

const tokenNames: Partial<Record<TokenKind, string>> = {
  local: 'a local name',
  global: 'a global name',
  number: 'a number',
  string: 'a text in quotes',
  label: 'a label',
  word: 'a word',
  metadata: 'metadata',
};

/** `\0A` is a byte; other letters are unescaped already. */
export function unescaped(text: string): string {
  return text.includes('\\')
    ? text.replace(/\\([\dA-Fa-f]{2}|\\)/g, (_, code: string) =>
        code === '\\' ? '\\' : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
}

/** A quoted name or path. LLVM escapes letters beyond ASCII byte by byte; invalid UTF-8 stays bytes. */
export function unescapedName(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = unescaped(text);
  const name = Buffer.from(bytes, 'latin1').toString('utf8');
  return name.includes('\uFFFD') ? bytes : name;
}

function isOf(character: number, group: number): boolean {
  return character < 128 && ((classes[character] ?? 0) & group) !== 0;
}

function isName(character: number): boolean {
  return isOf(character, nameCharacter);
}

function isNumberStart(text: string): boolean {
  const first = text.charCodeAt(0);
  if (isOf(first, digit)) return true;
  return first === code.minus || text.startsWith('u0x') || text.startsWith('s0x');
}
