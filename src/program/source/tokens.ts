import { isNamePart, isNameStart, isSpace, pastSplice, pastSplices, unspliced } from './characters.js';
import type { FaultDraft } from './fault-draft.js';

/**
 * Tokens of C and C++ text. Comments are skipped. A directive is one token over its whole logical line, since it
 * follows other rules than code.
 */

export type CodeTokenKind = 'name' | 'number' | 'string' | 'character' | 'punctuation' | 'directive';

export interface CodeToken {
  readonly kind: CodeTokenKind;
  /**
   * Normalized, so that equal tokens have equal text: no line continuations, digraphs replaced, and in directives a
   * single space for white space and comments.
   */
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
  /** Position in the text: `[offset, end)`. */
  readonly offset: number;
  readonly end: number;
}

/** The tokens of any text; it never fails. */
export function tokensOf(text: string): CodeToken[] {
  return scanTokens(text).tokens;
}

export function scanTokens(text: string): { readonly tokens: CodeToken[]; readonly faults: FaultDraft[] } {
  const scanner = new TokenScanner(text);
  scanner.scan();
  return scanner;
}

const punctuations = new Set(
  (
    '... <=> <<= >>= ->* -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= :: .* ## ' +
    '{ } [ ] ( ) ; : ? . ~ ! + - * / % ^ & | = < > , #'
  ).split(' '),
);

const digraphs = new Map([
  ['<%', '{'],
  ['%>', '}'],
  ['<:', '['],
  [':>', ']'],
  ['%:', '#'],
]);

const stringPrefixes = new Set(['L', 'u', 'U', 'u8']);
const rawPrefixes = new Set(['R', 'LR', 'uR', 'UR', 'u8R']);

/** An unterminated raw string is read as an ordinary one. After this many, no more ends are searched for. */
const rawSearches = 16;

class TokenScanner {
  readonly tokens: CodeToken[] = [];
  readonly faults: FaultDraft[] = [];
  private at = 0;
  private line = 1;
  /** Only white space and comments precede on this line, so a `#` begins a directive. */
  private isLineStart = true;
  private lostRawStrings = 0;

  constructor(private readonly text: string) {}

  scan(): void {
    const { text } = this;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (code === 0x0a) {
        this.line++;
        this.at++;
        this.isLineStart = true;
      } else if (isSpace(code)) {
        if (code === 0x0d) this.isLineStart = true;
        this.at++;
      } else if (isNameStart(code)) {
        this.name();
      } else if (!this.skipped(code)) {
        this.other(code);
      }
    }
  }

  private skipped(code: number): boolean {
    const { text, at } = this;
    if (code === 0x5c) {
      const end = pastSplice(text, at);
      if (end === at) return false;
      this.line++;
      this.at = end;
      return true;
    }
    const end = code === 0x2f ? this.commentEnd(at) : at;
    if (end === at) return false;
    this.pass(end);
    return true;
  }

  private other(code: number): void {
    const { text, at } = this;
    if (code === 0x22 || code === 0x27) {
      this.quoted(at, at);
    } else if (isDigit(code) || (code === 0x2e && isDigit(text.charCodeAt(pastSplices(text, at + 1))))) {
      this.push('number', at, this.numberEnd(at));
    } else if (this.isLineStart && (code === 0x23 || (code === 0x25 && text.charCodeAt(at + 1) === 0x3a))) {
      this.directive();
    } else {
      this.punctuation();
    }
  }

  private name(): void {
    const { text, at } = this;
    let end = at + 1;
    for (;;) {
      while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
      const next = pastSplices(text, end);
      if (next === end || !isNamePart(text.charCodeAt(next))) break;
      end = next;
    }
    const quote = end - at <= 3 ? text.charCodeAt(end) : 0;
    if (quote === 0x22 || quote === 0x27) {
      const word = text.slice(at, end);
      if (stringPrefixes.has(word)) {
        this.quoted(at, end);
        return;
      }
      const rawEnd = quote === 0x22 && rawPrefixes.has(word) ? this.rawEnd(end) : end;
      if (rawEnd !== end) {
        this.push('string', at, rawEnd, text.slice(at, rawEnd));
        return;
      }
    }
    this.push('name', at, end);
  }

  private quoted(at: number, quote: number): void {
    const { text } = this;
    const kind = text.charCodeAt(quote) === 0x22 ? 'string' : 'character';
    this.push(kind, at, quotedEnd(text, quote));
  }

  /** The end of the raw string whose opening quote is here; the quote itself if it is unterminated. */
  private rawEnd(quote: number): number {
    const { text } = this;
    let open = quote + 1;
    while (open - quote <= 17 && isDelimiter(text.charCodeAt(open))) open++;
    if (text.charCodeAt(open) !== 0x28 || this.lostRawStrings >= rawSearches) return quote;
    const close = `)${text.slice(quote + 1, open)}"`;
    const closeAt = text.indexOf(close, open);
    if (closeAt !== -1) return closeAt + close.length;
    this.lostRawStrings++;
    return quote;
  }

  private numberEnd(at: number): number {
    const { text } = this;
    let end = at + 1;
    let last = text.charCodeAt(at) | 0x20;
    for (;;) {
      end = pastSplices(text, end);
      const code = text.charCodeAt(end);
      const isSign = (code === 0x2b || code === 0x2d) && (last === 0x65 || last === 0x70);
      const isSeparator = code === 0x27 && isNamePart(text.charCodeAt(end + 1));
      if (!isNamePart(code) && code !== 0x2e && !isSign && !isSeparator) return end;
      last = code | 0x20;
      end++;
    }
  }

  private punctuation(): void {
    const { text, at } = this;
    const second = pastSplices(text, at + 1);
    const third = pastSplices(text, second + 1);
    const single = text.charAt(at);
    const double = single + text.charAt(second);
    const triple = double + text.charAt(third);
    if (punctuations.has(triple) && triple.length === 3) {
      this.push('punctuation', at, third + 1, triple);
    } else if (digraphs.has(double) && !this.isTemplateScope(double, third)) {
      this.push('punctuation', at, second + 1, digraphs.get(double));
    } else if (punctuations.has(double) && double.length === 2) {
      this.push('punctuation', at, second + 1, double);
    } else {
      this.push('punctuation', at, at + 1, single);
    }
  }

  /** `vector<::name>` contains no digraph, by a rule of C++. */
  private isTemplateScope(pair: string, third: number): boolean {
    if (pair !== '<:' || this.text.charAt(third) !== ':') return false;
    const fourth = this.text.charAt(third + 1);
    return fourth !== ':' && fourth !== '>';
  }

  private directive(): void {
    const { text, at } = this;
    const words: string[] = [];
    let word = '#';
    let next = text.charCodeAt(at) === 0x23 ? at + 1 : at + 2;
    let end = next;
    while (next < text.length) {
      const code = text.charCodeAt(next);
      if (code === 0x0a || code === 0x0d) break;
      const past = code === 0x2f ? this.commentEnd(next) : pastSplice(text, next);
      if (past !== next || isSpace(code)) {
        if (word !== '' && word !== '#') words.push(word);
        if (word !== '#') word = '';
        next = past === next ? next + 1 : past;
        continue;
      }
      let wordEnd = next + 1;
      if (code === 0x22 || code === 0x27) wordEnd = quotedEnd(text, next);
      else while (isNamePart(text.charCodeAt(wordEnd))) wordEnd++;
      word += unspliced(text.slice(next, wordEnd));
      next = wordEnd;
      end = next;
    }
    if (word !== '') words.push(word);
    this.push('directive', at, end, words.join(' '));
    this.pass(next);
  }

  /** The end of the comment that starts here; `at` if none does. */
  private commentEnd(at: number): number {
    const { text } = this;
    const second = pastSplices(text, at + 1);
    const code = text.charCodeAt(second);
    if (code === 0x2a) {
      const close = text.indexOf('*/', second + 1);
      if (close !== -1) return close + 2;
      this.faults.push({ line: this.line, offset: at, message: 'unterminated comment' });
      return text.length;
    }
    if (code !== 0x2f) return at;
    let end = second + 1;
    while (end < text.length) {
      const here = text.charCodeAt(end);
      if (here === 0x0a || here === 0x0d) break;
      const past = here === 0x5c ? pastSplice(text, end) : end;
      end = past === end ? end + 1 : past;
    }
    return end;
  }

  private push(kind: CodeTokenKind, offset: number, end: number, meaning?: string): void {
    const { line } = this;
    this.pass(end);
    const written = meaning ?? this.text.slice(offset, end);
    const isOnOneLine = this.line === line;
    const text = meaning !== undefined || isOnOneLine ? written : unspliced(written);
    this.tokens.push({ kind, text, line, endLine: this.line, offset, end });
    this.isLineStart = false;
  }

  private pass(end: number): void {
    const { text } = this;
    for (let at = this.at; at < end; at++) {
      if (text.charCodeAt(at) === 0x0a) this.line++;
    }
    this.at = end;
  }
}

/** The end of a string or character constant: after its closing quote, or at the end of the line. */
function quotedEnd(text: string, quote: number): number {
  const closing = text.charCodeAt(quote);
  let at = quote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === closing) return at + 1;
    if (code === 0x0a || code === 0x0d) return at;
    if (code !== 0x5c) {
      at++;
      continue;
    }
    const past = pastSplice(text, at);
    const isEscape = past === at && !isLineEnd(text.charCodeAt(at + 1));
    at = past !== at ? past : at + (isEscape ? 2 : 1);
  }
  return Math.min(at, text.length);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d;

/** May stand between the quote and the parenthesis of a raw string. */
const isDelimiter = (code: number): boolean =>
  code > 0x20 && code < 0x7f && code !== 0x28 && code !== 0x29 && code !== 0x5c && code !== 0x22;
