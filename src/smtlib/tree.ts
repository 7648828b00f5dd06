/**
 * The syntax tree of an SMT-LIB script.
 *
 * One tree serves all solver versions: names and string literals have their SMT-LIB 2.6 form and are translated when
 * parsing and printing. Trees are immutable, have no positions and may share subtrees, so two trees are equal exactly
 * if they mean the same text.
 */

/**
 * A literal. For a string, `text` is its canonical 2.6 body (see `literals.ts`), without quotes or doubling.
 * `rational` is cvc5's `1/3`; `field` is its `#f2m5`, an element of the finite field of order 5.
 */
export interface Constant {
  readonly kind: 'numeral' | 'decimal' | 'hexadecimal' | 'binary' | 'string' | 'rational' | 'field';
  readonly text: string;
}

export type Atom =
  | Constant
  | { readonly kind: 'symbol'; readonly text: string }
  | { readonly kind: 'keyword'; readonly text: string }
  /** A keyword of the language (`_`, `as`, `let`, …) in free-form text. */
  | { readonly kind: 'reserved'; readonly text: string };

export interface SExprList {
  readonly kind: 'list';
  readonly items: readonly SExpr[];
}

/** Free-form text: attribute values, solver-specific commands, indices. */
export type SExpr = Atom | SExprList;

/** `Int`, `(_ BitVec 8)`, `(Array Int (Seq String))`. */
export interface Sort {
  readonly symbol: string;
  readonly indices: readonly SExpr[];
  readonly args: readonly Sort[];
}

/** `f`, `(_ extract 7 0)`, `(as nil (List Int))`. */
export interface Identifier {
  readonly symbol: string;
  readonly indices: readonly SExpr[];
  /** The sort of an `as` qualification. */
  readonly sort: Sort | undefined;
}

export interface SortedName {
  readonly name: string;
  readonly sort: Sort;
}

export interface Binding {
  readonly name: string;
  readonly term: Term;
}

/** `(cons head tail)`, `nil` or a variable; `isList` distinguishes `(nil)` from `nil`. */
export interface MatchPattern {
  readonly constructorName: string;
  readonly variables: readonly string[];
  readonly isList: boolean;
}

export interface MatchCase {
  readonly pattern: MatchPattern;
  readonly body: Term;
}

export type Attribute =
  | { readonly keyword: string; readonly value: SExpr | undefined }
  /** `:pattern (t …)` and `:no-pattern t`, whose values are terms. */
  | { readonly keyword: ':pattern' | ':no-pattern'; readonly terms: readonly Term[] };

export interface Name {
  readonly kind: 'name';
  readonly id: Identifier;
}

export interface Application {
  readonly kind: 'apply';
  readonly fn: Identifier;
  readonly args: readonly Term[];
}

/** `((f x) y)`, `((lambda …) 3)`: applies a term of function sort. */
export interface Call {
  readonly kind: 'call';
  readonly head: Term;
  readonly args: readonly Term[];
}

export interface Let {
  readonly kind: 'let';
  readonly bindings: readonly Binding[];
  readonly body: Term;
}

export interface Quantified {
  /** `choice` is Z3's `(choice ((x S)) p)`: some x for which p holds. */
  readonly kind: 'forall' | 'exists' | 'lambda' | 'choice';
  readonly variables: readonly SortedName[];
  readonly body: Term;
}

/** cvc5's `(set.comprehension ((x S)) p t)`: the set of all t for which p holds; without t, of all x. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly variables: readonly SortedName[];
  readonly condition: Term;
  readonly element: Term | undefined;
}

export interface Match {
  readonly kind: 'match';
  readonly term: Term;
  readonly cases: readonly MatchCase[];
}

export interface Annotated {
  readonly kind: 'annotated';
  readonly term: Term;
  readonly attributes: readonly Attribute[];
}

export type Term =
  | Constant
  | Name
  | Application
  | Call
  | Let
  | Quantified
  | Comprehension
  | Match
  | Annotated;

export interface Selector {
  readonly name: string;
  readonly sort: Sort;
}

export interface Constructor {
  readonly name: string;
  readonly selectors: readonly Selector[];
}

export interface Datatype {
  readonly name: string;
  /** Number of sort parameters; their names are in `parameters` if the text used `par`. */
  readonly arity: number;
  readonly parameters: readonly string[];
  readonly constructors: readonly Constructor[];
}

export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly SortedName[];
  readonly result: Sort;
  readonly body: Term;
}

export type Command =
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'set-logic'; readonly logic: string }
  | { readonly kind: 'set-option' | 'set-info'; readonly keyword: string; readonly value: SExpr | undefined }
  | { readonly kind: 'declare-sort'; readonly name: string; readonly arity: number }
  | {
      readonly kind: 'define-sort';
      readonly name: string;
      readonly parameters: readonly string[];
      readonly sort: Sort;
    }
  | {
      readonly kind: 'declare-fun';
      readonly name: string;
      readonly parameters: readonly Sort[];
      readonly result: Sort;
    }
  | { readonly kind: 'declare-const'; readonly name: string; readonly result: Sort }
  | { readonly kind: 'define-const'; readonly name: string; readonly result: Sort; readonly body: Term }
  | ({ readonly kind: 'define-fun' | 'define-fun-rec' } & FunctionDefinition)
  | { readonly kind: 'define-funs-rec'; readonly definitions: readonly FunctionDefinition[] }
  | {
      readonly kind: 'declare-datatypes';
      readonly datatypes: readonly Datatype[];
      /** `one` is `declare-datatype`; `old` is the 2.5 form `(declare-datatypes (T) ((List nil …)))`. */
      readonly form: 'one' | 'many' | 'old';
    }
  | { readonly kind: 'assert'; readonly term: Term }
  | { readonly kind: 'check-sat' }
  | { readonly kind: 'check-sat-assuming'; readonly terms: readonly Term[] }
  | { readonly kind: 'get-value'; readonly terms: readonly Term[] }
  | { readonly kind: 'push' | 'pop'; readonly levels: number }
  /** Solver-specific commands whose first argument is a term: `minimize`, `assert-soft`, `simplify`, … */
  | {
      readonly kind: 'term-command';
      readonly name: string;
      readonly term: Term;
      readonly rest: readonly SExpr[];
    }
  /** Every other command, as free-form text. */
  | { readonly kind: 'other'; readonly name: string; readonly rest: readonly SExpr[] };

export interface Script {
  readonly commands: readonly Command[];
}

const noIndices: readonly SExpr[] = [];
const noSorts: readonly Sort[] = [];

export function sort(symbol: string, args: readonly Sort[] = noSorts): Sort {
  return { symbol, indices: noIndices, args };
}

/** `indexedSort('BitVec', 8)` is `(_ BitVec 8)`. */
export function indexedSort(symbol: string, ...indices: readonly number[]): Sort {
  return { symbol, indices: indices.map(index), args: noSorts };
}

export function index(value: number): Constant {
  return { kind: 'numeral', text: String(value) };
}

export function identifier(symbol: string, indices: readonly SExpr[] = noIndices, as?: Sort): Identifier {
  return { symbol, indices, sort: as };
}

export function name(symbol: string): Name {
  return { kind: 'name', id: identifier(symbol) };
}

/** `apply('str.len', name('x'))`; without arguments it returns the name itself. */
export function apply(fn: string | Identifier, ...args: readonly Term[]): Term {
  const id = typeof fn === 'string' ? identifier(fn) : fn;
  return args.length === 0 ? { kind: 'name', id } : { kind: 'apply', fn: id, args };
}

/** An integer as SMT-LIB writes it: negative numbers are applications of `-`. */
export function integer(value: number | bigint): Term {
  return value < 0
    ? apply('-', { kind: 'numeral', text: String(-value) })
    : { kind: 'numeral', text: String(value) };
}

/** The direct subterms, in the order of the text. */
export function children(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'apply':
      return term.args;
    case 'let':
      return [...term.bindings.map((binding) => binding.term), term.body];
    case 'forall':
    case 'exists':
    case 'lambda':
    case 'choice':
      return [term.body];
    case 'call':
      return [term.head, ...term.args];
    case 'comprehension':
      return term.element === undefined ? [term.condition] : [term.condition, term.element];
    case 'match':
      return [term.term, ...term.cases.map((matchCase) => matchCase.body)];
    case 'annotated':
      return [
        term.term,
        ...term.attributes.flatMap((attribute) => ('terms' in attribute ? attribute.terms : [])),
      ];
    default:
      return noTerms;
  }
}

const noTerms: readonly Term[] = [];

/** The term with other children, given in the order of `children`. */
export function withChildren(term: Term, next: readonly Term[]): Term {
  const at = (position: number): Term => {
    const child = next[position];
    if (child === undefined) throw new RangeError(`a ${term.kind} term is short of child ${position}`);
    return child;
  };
  switch (term.kind) {
    case 'apply':
      return { kind: 'apply', fn: term.fn, args: next };
    case 'let':
      return {
        kind: 'let',
        bindings: term.bindings.map((binding, i) => ({ name: binding.name, term: at(i) })),
        body: at(term.bindings.length),
      };
    case 'forall':
    case 'exists':
    case 'lambda':
    case 'choice':
      return { kind: term.kind, variables: term.variables, body: at(0) };
    case 'call':
      return { kind: 'call', head: at(0), args: next.slice(1) };
    case 'comprehension':
      return { ...term, condition: at(0), element: term.element === undefined ? undefined : at(1) };
    case 'match':
      return {
        kind: 'match',
        term: at(0),
        cases: term.cases.map((matchCase, i) => ({ pattern: matchCase.pattern, body: at(i + 1) })),
      };
    case 'annotated': {
      let position = 1;
      const attributes = term.attributes.map((attribute) =>
        'terms' in attribute
          ? { keyword: attribute.keyword, terms: attribute.terms.map(() => at(position++)) }
          : attribute,
      );
      return { kind: 'annotated', term: at(0), attributes };
    }
    default:
      return term;
  }
}

/** The terms of a command, in the order of the text. */
export function commandTerms(command: Command): readonly Term[] {
  switch (command.kind) {
    case 'assert':
    case 'term-command':
      return [command.term];
    case 'define-const':
    case 'define-fun':
    case 'define-fun-rec':
      return [command.body];
    case 'define-funs-rec':
      return command.definitions.map((definition) => definition.body);
    case 'check-sat-assuming':
    case 'get-value':
      return command.terms;
    default:
      return noTerms;
  }
}

/** The command with other terms, given in the order of `commandTerms`. */
export function withCommandTerms(command: Command, next: readonly Term[]): Command {
  const [first] = next;
  if (first === undefined) return command;
  switch (command.kind) {
    case 'assert':
    case 'term-command':
      return { ...command, term: first };
    case 'define-const':
    case 'define-fun':
    case 'define-fun-rec':
      return { ...command, body: first };
    case 'define-funs-rec':
      return {
        ...command,
        definitions: command.definitions.map((definition, i) => ({
          ...definition,
          body: next[i] ?? definition.body,
        })),
      };
    case 'check-sat-assuming':
    case 'get-value':
      return { ...command, terms: next };
    default:
      return command;
  }
}
