import type {
  Attribute,
  Binding,
  Constant,
  Identifier,
  MatchCase,
  MatchPattern,
  SExpr,
  SortedName,
  Term,
} from '../tree.js';
import { Reader } from './reader.js';
import { Token } from './scan.js';
import type { Word } from './words.js';

type Binder = 'forall' | 'exists' | 'lambda' | 'choice';

/** An open term with the parts read so far. */
type Frame =
  | { readonly kind: 'apply'; readonly fn: Identifier; readonly base: number }
  /** Its first value is the applied term. */
  | { readonly kind: 'call'; readonly base: number }
  | { readonly kind: 'comprehension'; readonly variables: readonly SortedName[]; readonly base: number }
  | {
      readonly kind: 'let';
      readonly bindings: Binding[];
      pending: string | undefined;
      body: Term | undefined;
    }
  | { readonly kind: Binder; readonly variables: readonly SortedName[]; body: Term | undefined }
  | {
      readonly kind: 'match';
      subject: Term | undefined;
      readonly cases: MatchCase[];
      pending: MatchPattern | undefined;
    }
  | { readonly kind: 'annotated'; subject: Term | undefined; readonly attributes: Attribute[] }
  | { readonly kind: 'patterns'; readonly base: number };

/**
 * Reads terms with a stack of frames instead of recursion. Finished arguments wait on one shared stack and are sliced
 * off in arrays of exact size, which keeps trees small.
 */
export class TermReader extends Reader {
  private readonly frames: Frame[] = [];
  private readonly values: Term[] = [];
  private top = 0;

  /** Reads a term that starts at the last token. */
  term(): Term {
    const { frames } = this;
    frames.length = 0;
    this.top = 0;
    for (;;) {
      let done: Term | undefined;
      switch (this.token) {
        case Token.Symbol:
        case Token.QuotedSymbol:
          if (this.token === Token.Symbol && this.isReservedHere(this.word())) this.fail('a term');
          done = this.nameNode();
          break;
        case Token.Open:
          done = this.open();
          break;
        case Token.Close:
          done = this.close();
          break;
        case Token.Keyword:
          this.readAttribute();
          break;
        default:
          done = this.constant() ?? this.fail('a term');
      }
      if (done !== undefined) {
        if (frames.length === 0) return done;
        this.accept(done);
      }
      this.next();
    }
  }

  /** After `(`: opens a term; returns it if it is already complete. */
  private open(): Term | undefined {
    const token = this.next();
    if (token === Token.Symbol) {
      const word = this.word();
      const begin = this.isReservedHere(word) ? termOpeners.get(word.text) : undefined;
      if (begin !== undefined) return begin(this);
      if (word.binder !== undefined && !this.isShadowed(word)) return this.beginBinder(word.binder);
      this.push({ kind: 'apply', fn: this.nameNode().id, base: this.top });
    } else if (token === Token.QuotedSymbol) {
      this.push({ kind: 'apply', fn: this.nameNode().id, base: this.top });
    } else if (token === Token.Open) {
      const opened = this.start;
      const passed = this.comments.length;
      const word = this.next() === Token.Symbol ? this.text() : '';
      if (word === '_' || word === 'as')
        this.push({ kind: 'apply', fn: this.identifierRest(), base: this.top });
      else {
        // The bracket opens the applied term; read it again.
        this.push({ kind: 'call', base: this.top });
        this.end = opened;
        this.comments.length = passed;
      }
    } else {
      this.fail("a function's name");
    }
    return undefined;
  }

  private push(frame: Frame): void {
    this.frames.push(frame);
  }

  /** `(_ f 1)` or `(as f S)` as a term. */
  beginName(): Term {
    return { kind: 'name', id: this.identifierRest() };
  }

  beginLet(): undefined {
    this.expectOpen("a let's bindings");
    const frame: Frame = { kind: 'let', bindings: [], pending: undefined, body: undefined };
    this.push(frame);
    this.nextBinding(frame);
  }

  /** After `(` of the bindings, or after a binding: reads the name of the next one, or the end. */
  private nextBinding(frame: Extract<Frame, { kind: 'let' }>): void {
    if (this.next() === Token.Close) {
      frame.pending = undefined;
      return;
    }
    if (this.token !== Token.Open) this.fail("'(' of a let's binding");
    this.next();
    frame.pending = this.declaredName("a let's variable");
  }

  beginQuantifier(kind: Binder): undefined {
    this.expectOpen(`the variables of ${kind}`);
    this.push({ kind, variables: this.sortedNames('a bound variable'), body: undefined });
  }

  private beginBinder(kind: 'choice' | 'comprehension'): undefined {
    this.expectOpen(`the variables of ${kind}`);
    const variables = this.sortedNames('a bound variable');
    if (kind === 'choice') this.push({ kind, variables, body: undefined });
    else this.push({ kind, variables, base: this.top });
  }

  private isReservedHere(word: Word): boolean {
    return word.isReserved && !this.isShadowed(word);
  }

  beginMatch(): undefined {
    this.push({ kind: 'match', subject: undefined, cases: [], pending: undefined });
  }

  private nextCase(frame: Extract<Frame, { kind: 'match' }>): void {
    if (this.next() === Token.Close) {
      frame.pending = undefined;
      return;
    }
    if (this.token !== Token.Open) this.fail("'(' of a match's case");
    if (this.next() !== Token.Open) {
      frame.pending = { constructorName: this.plainSymbol('a pattern'), variables: [], isList: false };
      return;
    }
    this.next();
    const constructorName = this.plainSymbol("a pattern's constructor");
    const variables: string[] = [];
    while (this.next() !== Token.Close) variables.push(this.declaredName("a pattern's variable"));
    frame.pending = { constructorName, variables, isList: true };
  }

  beginAnnotated(): undefined {
    this.push({ kind: 'annotated', subject: undefined, attributes: [] });
  }

  private readAttribute(): void {
    const frame = this.frames.at(-1);
    const annotated =
      frame?.kind === 'annotated' && frame.subject !== undefined ? frame : this.fail('a term');
    const keyword = this.text();
    const token = this.next();
    if (keyword === ':pattern' && token === Token.Open) {
      this.push({ kind: 'patterns', base: this.top });
      return;
    }
    let value: SExpr | undefined;
    if (token !== Token.Keyword && token !== Token.Close) value = this.sexpr();
    annotated.attributes.push({ keyword, value });
    // After an attribute without a value comes the next attribute or the end; read the token again.
    if (value === undefined) this.end = this.start;
  }

  /** Adds a finished term to the innermost frame. */
  private accept(term: Term): void {
    const frame = this.frames[this.frames.length - 1];
    if (frame === undefined) return;
    switch (frame.kind) {
      case 'apply':
      case 'call':
      case 'comprehension':
      case 'patterns':
        this.values[this.top++] = term;
        return;
      case 'let':
        if (frame.pending === undefined) {
          this.acceptBody(frame, term);
          return;
        }
        frame.bindings.push({ name: frame.pending, term });
        this.expectClose("a let's binding");
        this.nextBinding(frame);
        return;
      case 'match':
        if (frame.subject === undefined) {
          frame.subject = term;
          this.expectOpen("a match's cases");
        } else if (frame.pending !== undefined) {
          frame.cases.push({ pattern: frame.pending, body: term });
          this.expectClose("a match's case");
        } else {
          this.fail("')' after a match's cases");
        }
        this.nextCase(frame);
        return;
      case 'annotated':
        if (frame.subject !== undefined) this.fail('an attribute');
        frame.subject = term;
        return;
      default:
        this.acceptBody(frame, term);
    }
  }

  private acceptBody(frame: { body: Term | undefined }, term: Term): void {
    if (frame.body !== undefined) this.fail("')' after a body");
    frame.body = term;
  }

  /** After `)`: completes the innermost frame. */
  private close(): Term | undefined {
    const { values } = this;
    const frame = this.frames.pop();
    if (frame === undefined) return this.fail('a term');
    switch (frame.kind) {
      case 'apply': {
        const args = values.slice(frame.base, this.top);
        if (args.length === 0) this.fail('an argument');
        this.top = frame.base;
        return frame.fn.symbol === 're.loop'
          ? canonicalLoop(frame.fn, args)
          : { kind: 'apply', fn: frame.fn, args };
      }
      case 'call': {
        const [head, ...args] = values.slice(frame.base, this.top);
        if (head === undefined || args.length === 0) return this.fail('an argument');
        this.top = frame.base;
        return { kind: 'call', head, args };
      }
      case 'comprehension': {
        const [condition, element, ...more] = values.slice(frame.base, this.top);
        if (condition === undefined || more.length > 0) return this.fail('a condition and an element');
        this.top = frame.base;
        return { kind: 'comprehension', variables: frame.variables, condition, element };
      }
      case 'patterns': {
        const terms = values.slice(frame.base, this.top);
        this.top = frame.base;
        const owner = this.frames.at(-1);
        if (owner?.kind === 'annotated') owner.attributes.push({ keyword: ':pattern', terms });
        return undefined;
      }
      case 'let':
        if (frame.pending !== undefined || frame.body === undefined) return this.fail('a term');
        return { kind: 'let', bindings: frame.bindings, body: frame.body };
      case 'match':
        if (frame.subject === undefined || frame.pending !== undefined) return this.fail('a term');
        return { kind: 'match', term: frame.subject, cases: frame.cases };
      case 'annotated':
        if (frame.subject === undefined) return this.fail('a term');
        return { kind: 'annotated', term: frame.subject, attributes: frame.attributes };
      default:
        if (frame.body === undefined) return this.fail('a term');
        return { kind: frame.kind, variables: frame.variables, body: frame.body };
    }
  }
}

/** Older solvers' `(re.loop r 1 3)` is `((_ re.loop 1 3) r)`. */
function canonicalLoop(fn: Identifier, args: readonly Term[]): Term {
  const [regex, ...bounds] = args;
  if (fn.indices.length > 0 || regex === undefined || bounds.length === 0) return { kind: 'apply', fn, args };
  const indices = bounds.filter((bound): bound is Constant => bound.kind === 'numeral');
  if (indices.length < bounds.length) return { kind: 'apply', fn, args };
  return { kind: 'apply', fn: { symbol: fn.symbol, indices, sort: undefined }, args: [regex] };
}

type OpenTerm = (terms: TermReader) => Term | undefined;

const termOpeners: ReadonlyMap<string, OpenTerm> = new Map<string, OpenTerm>([
  ['_', (terms) => terms.beginName()],
  ['as', (terms) => terms.beginName()],
  ['let', (terms) => terms.beginLet()],
  ['forall', (terms) => terms.beginQuantifier('forall')],
  ['exists', (terms) => terms.beginQuantifier('exists')],
  ['lambda', (terms) => terms.beginQuantifier('lambda')],
  ['match', (terms) => terms.beginMatch()],
  ['!', (terms) => terms.beginAnnotated()],
]);
