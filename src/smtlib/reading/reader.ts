import { oldStringCodes, stringCodes, stringText } from '../literals.js';
import type { Atom, Constant, Identifier, Name, SExpr, Sort, SortedName } from '../tree.js';
import { wordHash } from './hash.js';
import { ScanError, Scanner, Token } from './scan.js';
import { sharedWords, type Word } from './words.js';

const none: readonly never[] = [];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The scanner extended by the common grammar of terms and commands: names, constants, sorts, free-form text. */
export class Reader extends Scanner {
  /** A name or version that only SMT-LIB 2.5 has was read. */
  isOld = false;

  /** Literals with escapes; their dialect is known only at the end of the text. */
  private readonly escaped: { constant: Mutable<Constant>; body: string }[] = [];

  private readonly words = sharedWords();
  /** Names of other dialects or binders that this formula declares itself. */
  private readonly shadowed = new Set<string>();

  /** Throws an error that names the expected element at the last token. */
  fail(expected: string): never {
    const found = this.token === Token.End ? 'the end of the text' : abbreviate(this.rawText());
    throw new ScanError(this.start, `expected ${expected}, found ${found}`, expected, found);
  }

  expectOpen(element: string): void {
    if (this.next() !== Token.Open) this.fail(`'(' of ${element}`);
  }

  expectClose(element: string): void {
    if (this.next() !== Token.Close) this.fail(`')' after ${element}`);
  }

  /** The last token as a declared name. */
  declaredName(element: string): string {
    const word = this.token === Token.Symbol ? this.word() : undefined;
    // Old formulas use these newer keywords as names.
    const isOwn = word !== undefined && laterKeywords.has(word.text);
    const { text, isForeign, binder } = isOwn ? word : this.plainWord(element);
    if (isOwn || isForeign || binder !== undefined) this.shadowed.add(text);
    return text;
  }

  /** Returns true if the formula declares this otherwise special name. */
  isShadowed(word: Word): boolean {
    return this.shadowed.size > 0 && this.shadowed.has(word.text);
  }

  /** The last token as a symbol, untranslated. */
  plainSymbol(element: string): string {
    return this.plainWord(element).text;
  }

  private plainWord(element: string): Word {
    if (this.token !== Token.Symbol && this.token !== Token.QuotedSymbol) this.fail(element);
    const word = this.word();
    if (word.isReserved && this.token === Token.Symbol) this.fail(element);
    return word;
  }

  /** The name node of the last token, a symbol. */
  nameNode(): Name {
    const word = this.word();
    return word.isForeign ? this.foreignName(word) : word.name;
  }

  private foreignName(word: Word): Name {
    if (this.shadowed.has(word.text)) {
      return { kind: 'name', id: { symbol: word.text, indices: none, sort: undefined } };
    }
    if (word.isOld) this.isOld = true;
    return word.name;
  }

  word(): Word {
    if (this.token === Token.Symbol) return this.words.find(this.source, this.start, this.end, this.hash);
    const text = this.text();
    return this.words.find(text, 0, text.length, wordHash(text));
  }

  /** The last token as a constant; undefined if it is none. */
  constant(): Constant | undefined {
    switch (this.token) {
      case Token.Numeral:
        return { kind: 'numeral', text: this.text() };
      case Token.Decimal: {
        const text = this.text();
        return { kind: 'decimal', text: text.endsWith('.') ? `${text}0` : text };
      }
      case Token.Rational:
        return { kind: 'rational', text: this.text() };
      case Token.Field:
        return { kind: 'field', text: this.text() };
      case Token.Hexadecimal:
        return { kind: 'hexadecimal', text: this.text() };
      case Token.Binary:
        return { kind: 'binary', text: this.text() };
      case Token.String:
        return this.stringConstant();
      default:
        return undefined;
    }
  }

  private stringConstant(): Constant {
    const body = this.stringBody();
    const constant = { kind: 'string' as const, text: body };
    if (this.hasSpecial) this.escaped.push({ constant, body });
    return constant;
  }

  /** Returns true if a literal has an escape that only 2.6 has; formulas mix them with names of 2.5. */
  hasNewEscapes(): boolean {
    return this.escaped.some(({ body }) => /\\u(?:\{[0-9a-fA-F]{1,5}\}|[0-9a-fA-F]{4})/.test(body));
  }

  /** Gives literals their canonical text, once the dialect is known. */
  resolveStrings(dialect: '2.5' | '2.6'): void {
    const codes = dialect === '2.5' ? oldStringCodes : stringCodes;
    for (const { constant, body } of this.escaped) constant.text = stringText(codes(body));
  }

  numeral(element: string): number {
    const number = this.token === Token.Numeral ? Number(this.text()) : Number.NaN;
    // A larger number would be printed differently.
    if (!Number.isSafeInteger(number)) this.fail(element);
    return number;
  }

  sort(): Sort {
    const open: { symbol: string; indices: readonly SExpr[]; args: Sort[] }[] = [];
    for (;;) {
      let done: Sort | undefined;
      if (this.token === Token.Open) {
        const token = this.next();
        if (token === Token.Symbol && this.text() === '_') {
          done = { ...this.indexed('a sort'), args: none };
        } else if (token === Token.Open) {
          if (this.next() !== Token.Symbol || this.text() !== '_') this.fail("'_' of an indexed sort");
          open.push({ ...this.indexed('a sort'), args: [] });
        } else {
          open.push({ symbol: this.plainSymbol("a sort's name"), indices: none, args: [] });
        }
      } else if (this.token === Token.Close && open.length > 0) {
        done = open.pop();
      } else {
        done = this.plainWord('a sort').sort;
      }
      const frame = open.at(-1);
      if (done !== undefined) {
        if (frame === undefined) return done;
        frame.args.push(done);
      }
      this.next();
    }
  }

  /** `symbol index … )` after `(_`, with `_` as the last token. */
  private indexed(element: string): { symbol: string; indices: readonly SExpr[] } {
    this.next();
    this.plainWord(`${element}'s name`);
    const { symbol } = this.nameNode().id;
    const indices: SExpr[] = [];
    while (this.next() !== Token.Close) indices.push(this.sexpr());
    if (indices.length === 0) this.fail('an index');
    return { symbol, indices };
  }

  /** `_ f i …)` or `as f S)` after `(`, with `_` or `as` as the last token. */
  identifierRest(): Identifier {
    if (this.text() === '_') return { ...this.indexed('a function'), sort: undefined };
    this.next();
    let symbol: string;
    let indices: readonly SExpr[] = none;
    if (this.token === Token.Open) {
      if (this.next() !== Token.Symbol || this.text() !== '_') this.fail("'_' of an indexed name");
      ({ symbol, indices } = this.indexed('a function'));
    } else {
      this.plainWord('a name');
      symbol = this.nameNode().id.symbol;
    }
    this.next();
    const sort = this.sort();
    this.expectClose('the sort of an "as"');
    return { symbol, indices, sort };
  }

  sexpr(): SExpr {
    const open: SExpr[][] = [];
    for (;;) {
      let done: SExpr | undefined;
      if (this.token === Token.Open) open.push([]);
      else if (this.token === Token.Close && open.length > 0)
        done = { kind: 'list', items: open.pop() ?? [] };
      else done = this.atom();
      if (done !== undefined) {
        const list = open.at(-1);
        if (list === undefined) return done;
        list.push(done);
      }
      this.next();
    }
  }

  /** Reads free-form text up to and including the `)` of the enclosing list. */
  rest(): SExpr[] {
    const items: SExpr[] = [];
    while (this.next() !== Token.Close) items.push(this.sexpr());
    return items;
  }

  private atom(): Atom {
    const constant = this.constant();
    if (constant !== undefined) return constant;
    switch (this.token) {
      case Token.Keyword:
        return { kind: 'keyword', text: this.text() };
      case Token.QuotedSymbol:
        return { kind: 'symbol', text: this.text() };
      case Token.Symbol: {
        const { text, isReserved } = this.word();
        return { kind: isReserved ? 'reserved' : 'symbol', text };
      }
      default:
        return this.fail('a value');
    }
  }

  /** `(x S) …)` after `(`: variables with their sorts. */
  sortedNames(element: string): SortedName[] {
    const names: SortedName[] = [];
    while (this.next() !== Token.Close) {
      if (this.token !== Token.Open) this.fail(`'(' of ${element}`);
      this.next();
      const name = this.declaredName(`the name of ${element}`);
      this.next();
      names.push({ name, sort: this.sort() });
      this.expectClose(element);
    }
    return names;
  }
}

const laterKeywords: ReadonlySet<string> = new Set(['lambda', 'match']);

function abbreviate(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}
