/**
 * Arbitrary, not necessarily well-sorted syntax trees: every kind of node, with names and literals of every shape.
 */

import * as fc from 'fast-check';
import { stringText } from '../../src/smtlib/literals.js';
import type { Command, Constant, Identifier, Script, SExpr, Sort, Term } from '../../src/smtlib/tree.js';

const anyName = fc.oneof(
  fc.constantFrom(
    'x',
    'str.len',
    'and',
    'a!1',
    '<=',
    'var0',
    'let',
    'forall',
    '_',
    'as',
    'with space',
    '',
    '0a',
    'é',
  ),
  fc.string({ unit: fc.constantFrom(...'abcXYZ019.+-<>=_ ();"\n#é'), maxLength: 6 }),
);

/** The parser renames names of other dialects, so a tree never contains them. */
const foreign = new Set([
  ...['str.in.re', 'str.to.re', 'str.to.int', 'int.to.str', 're.nostr', 're.complement', 'str.from.int'],
  ...['str.from-int', 'str.to-int', 'ubv_to_int', 'int_to_bv', 'nat2bv'],
]);

export const symbols = anyName.filter((text) => !foreign.has(text) && text !== 're.loop');

const characters = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  fc.constantFrom(0, 9, 10, 0x22, 0x5c, 0x75, 0x7b, 0x7d, 0x7f, 0xff, 0xd83d, 0xde00, 0x1f600, 0x2ffff),
);

export const codes = fc.array(characters, { maxLength: 12 });

export const constants: fc.Arbitrary<Constant> = fc.oneof(
  fc
    .bigInt({ min: 0n, max: 10n ** 30n })
    .map((value): Constant => ({ kind: 'numeral', text: String(value) })),
  fc.tuple(fc.nat(), fc.nat()).map(([a, b]): Constant => ({ kind: 'decimal', text: `${a}.${b}` })),
  fc.nat().map((value): Constant => ({ kind: 'hexadecimal', text: `#x${value.toString(16)}` })),
  fc.nat(255).map((value): Constant => ({ kind: 'binary', text: `#b${value.toString(2)}` })),
  codes.map((value): Constant => ({ kind: 'string', text: stringText(value) })),
);

const keywords = fc.constantFrom(':named', ':status', ':a-b', ':x!');

export const sexprs: fc.Arbitrary<SExpr> = fc.letrec<{ sexpr: SExpr }>((tie) => ({
  sexpr: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    constants,
    symbols.map((text): SExpr => ({ kind: 'symbol', text })),
    keywords.map((text): SExpr => ({ kind: 'keyword', text })),
    fc.constantFrom('_', 'as', 'let').map((text): SExpr => ({ kind: 'reserved', text })),
    fc.array(tie('sexpr'), { maxLength: 3 }).map((items): SExpr => ({ kind: 'list', items })),
  ),
})).sexpr;

const indices = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  fc.array(
    fc.nat(64).map((value): SExpr => ({ kind: 'numeral', text: String(value) })),
    { minLength: 1, maxLength: 2 },
  ),
);

export const sorts: fc.Arbitrary<Sort> = fc.letrec<{ sort: Sort }>((tie) => ({
  sort: fc.oneof(
    { maxDepth: 3 },
    fc.record({ symbol: symbols, indices, args: fc.constant([]) }),
    fc.record({ symbol: symbols, indices, args: fc.array(tie('sort'), { minLength: 1, maxLength: 2 }) }),
  ),
})).sort;

const identifiers: fc.Arbitrary<Identifier> = fc.record({
  symbol: symbols,
  indices,
  sort: fc.option(sorts, { nil: undefined, freq: 4 }),
});

const sortedNames = fc.array(fc.record({ name: symbols, sort: sorts }), { maxLength: 2 });

const patterns = fc.oneof(
  symbols.map((constructorName) => ({ constructorName, variables: [], isList: false })),
  fc.record({
    constructorName: symbols,
    variables: fc.array(symbols, { maxLength: 2 }),
    isList: fc.constant(true),
  }),
);

export const terms: fc.Arbitrary<Term> = fc.letrec<{ term: Term }>((tie) => {
  const some = fc.array(tie('term'), { minLength: 1, maxLength: 3 });
  return {
    term: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      constants,
      identifiers.map((id): Term => ({ kind: 'name', id })),
      fc.tuple(identifiers, some).map(([fn, args]): Term => ({ kind: 'apply', fn, args })),
      fc
        .tuple(fc.array(fc.record({ name: symbols, term: tie('term') }), { maxLength: 2 }), tie('term'))
        .map(([bindings, body]): Term => ({ kind: 'let', bindings, body })),
      fc
        .tuple(
          fc.constantFrom('forall' as const, 'exists' as const, 'lambda' as const),
          sortedNames,
          tie('term'),
        )
        .map(([kind, variables, body]): Term => ({ kind, variables, body })),
      fc
        .tuple(tie('term'), fc.array(fc.record({ pattern: patterns, body: tie('term') }), { maxLength: 2 }))
        .map(([term, cases]): Term => ({ kind: 'match', term, cases })),
      fc
        .tuple(
          tie('term'),
          fc.array(
            fc.oneof(
              fc.record({ keyword: keywords, value: fc.option(sexprs.filter(isValue), { nil: undefined }) }),
              some.map((patternTerms) => ({ keyword: ':pattern' as const, terms: patternTerms })),
            ),
            { maxLength: 2 },
          ),
        )
        .map(([term, attributes]): Term => ({ kind: 'annotated', term, attributes })),
    ),
  };
}).term;

/** A keyword cannot be the value of a keyword. */
function isValue(expression: SExpr): boolean {
  return expression.kind !== 'keyword';
}

const definitions = fc.record({ name: symbols, parameters: sortedNames, result: sorts, body: terms });

const selectors = fc.array(fc.record({ name: symbols, sort: sorts }), { maxLength: 2 });
const constructors = fc.array(fc.record({ name: symbols.filter((symbol) => symbol !== 'par'), selectors }), {
  minLength: 1,
  maxLength: 2,
});
const parameters = fc.array(symbols, { minLength: 1, maxLength: 2 });

export const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.constantFrom(' a comment', '', '; two').map((text): Command => ({ kind: 'comment', text })),
  symbols.map((logic): Command => ({ kind: 'set-logic', logic })),
  fc
    .tuple(
      fc.constantFrom('set-option' as const, 'set-info' as const),
      keywords,
      fc.option(sexprs, { nil: undefined }),
    )
    .map(([kind, keyword, value]): Command => ({ kind, keyword, value })),
  fc.record({ kind: fc.constant('declare-sort' as const), name: symbols, arity: fc.nat(3) }),
  fc.record({
    kind: fc.constant('define-sort' as const),
    name: symbols,
    parameters: fc.array(symbols, { maxLength: 2 }),
    sort: sorts,
  }),
  fc.record({
    kind: fc.constant('declare-fun' as const),
    name: symbols,
    parameters: fc.array(sorts, { maxLength: 2 }),
    result: sorts,
  }),
  fc.record({ kind: fc.constant('declare-const' as const), name: symbols, result: sorts }),
  fc.record({ kind: fc.constant('define-const' as const), name: symbols, result: sorts, body: terms }),
  fc
    .tuple(fc.constantFrom('define-fun' as const, 'define-fun-rec' as const), definitions)
    .map(([kind, definition]): Command => ({ kind, ...definition })),
  fc
    .array(definitions, { minLength: 1, maxLength: 2 })
    .map((all): Command => ({ kind: 'define-funs-rec', definitions: all })),
  fc.tuple(symbols, fc.oneof(fc.constant([]), parameters), constructors).map(
    ([name, names, all]): Command => ({
      kind: 'declare-datatypes',
      form: 'one',
      datatypes: [{ name, arity: names.length, parameters: names, constructors: all }],
    }),
  ),
  fc
    .array(
      fc
        .tuple(symbols, fc.oneof(fc.constant([]), parameters), constructors)
        .map(([name, names, all]) => ({ name, arity: names.length, parameters: names, constructors: all })),
      { minLength: 1, maxLength: 2 },
    )
    .map((datatypes): Command => ({ kind: 'declare-datatypes', form: 'many', datatypes })),
  fc.tuple(fc.array(symbols, { maxLength: 2 }), symbols, constructors).map(
    ([names, name, all]): Command => ({
      kind: 'declare-datatypes',
      form: 'old',
      datatypes: [{ name, arity: names.length, parameters: names, constructors: all }],
    }),
  ),
  terms.map((term): Command => ({ kind: 'assert', term })),
  fc.constant<Command>({ kind: 'check-sat' }),
  fc
    .tuple(
      fc.constantFrom('check-sat-assuming' as const, 'get-value' as const),
      fc.array(terms, { maxLength: 2 }),
    )
    .map(([kind, all]): Command => ({ kind, terms: all })),
  fc
    .tuple(fc.constantFrom('push' as const, 'pop' as const), fc.nat(3))
    .map(([kind, levels]): Command => ({ kind, levels })),
  fc
    .tuple(fc.constantFrom('minimize', 'assert-soft', 'simplify'), terms, fc.array(sexprs, { maxLength: 2 }))
    .map(([name, term, rest]): Command => ({ kind: 'term-command', name, term, rest })),
  fc
    .tuple(fc.constantFrom('get-model', 'exit', 'echo', 'dbg-print'), fc.array(sexprs, { maxLength: 2 }))
    .map(([name, rest]): Command => ({ kind: 'other', name, rest })),
);

export const scripts: fc.Arbitrary<Script> = fc
  .array(commands, { maxLength: 6 })
  .map((all) => ({ commands: all }));
