/**
 * Declarations of single solvers. The tree keeps these commands as free-form text, so that a filter by command name
 * covers them; this file extracts what they declare.
 */

import { type Command, type Constructor, type Datatype, type SExpr, type Sort, sort } from '../tree.js';

export type FreeFormDeclaration =
  | { readonly kind: 'sort-parameter'; readonly name: string }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly parameters: readonly Sort[];
      readonly result: Sort;
    }
  | { readonly kind: 'datatypes'; readonly datatypes: readonly Datatype[] };

type DeclarationReader = (rest: readonly SExpr[]) => FreeFormDeclaration | undefined;

const declarationReaders: ReadonlyMap<string, DeclarationReader> = new Map<string, DeclarationReader>([
  ['declare-sort-parameter', sortParameter],
  // Z3's name for the same command.
  ['declare-type-var', sortParameter],
  // Z3's fixed points, and SyGuS.
  ['declare-var', ([name, result]) => functionDeclaration(name, { kind: 'list', items: [] }, result)],
  [
    'declare-rel',
    ([name, parameters]) => functionDeclaration(name, parameters, { kind: 'symbol', text: 'Bool' }),
  ],
  [
    'synth-fun',
    ([name, parameters, result]) => functionDeclaration(name, sortsOfVariables(parameters), result),
  ],
  [
    'synth-inv',
    ([name, parameters]) =>
      functionDeclaration(name, sortsOfVariables(parameters), { kind: 'symbol', text: 'Bool' }),
  ],
  ['declare-oracle-fun', ([name, parameters, result]) => functionDeclaration(name, parameters, result)],
  ['declare-pool', ([name, element]) => poolDeclaration(name, element)],
  ['declare-codatatypes', ([heads, bodies]) => datatypesDeclaration(heads, bodies)],
  ['declare-codatatype', ([name, body]) => datatypeDeclaration(name, body)],
  // The form with Z3's `:subterm` at the end.
  ['declare-datatype', ([name, body]) => datatypeDeclaration(name, body)],
  ['declare-datatypes', ([heads, bodies]) => datatypesDeclaration(heads, bodies)],
]);

/** The declaration in a free-form command; undefined for every other command. */
export function freeFormDeclarationIn(command: Command): FreeFormDeclaration | undefined {
  return command.kind === 'other' ? declarationReaders.get(command.name)?.(command.rest) : undefined;
}

function symbolOf(expression: SExpr | undefined): string | undefined {
  return expression?.kind === 'symbol' ? expression.text : undefined;
}

function sortParameter([first]: readonly SExpr[]): FreeFormDeclaration | undefined {
  const name = symbolOf(first);
  return name === undefined ? undefined : { kind: 'sort-parameter', name };
}

function functionDeclaration(
  first: SExpr | undefined,
  parameters: SExpr | undefined,
  last: SExpr | undefined,
): FreeFormDeclaration | undefined {
  const [name, result] = [symbolOf(first), sortOf(last)];
  const sorts = sortsIn(parameters);
  return name === undefined || result === undefined || sorts === undefined
    ? undefined
    : { kind: 'function', name, parameters: sorts, result };
}

/** cvc5's pools are sets of terms for instantiation. */
function poolDeclaration(
  first: SExpr | undefined,
  element: SExpr | undefined,
): FreeFormDeclaration | undefined {
  const [name, of] = [symbolOf(first), sortOf(element)];
  return name === undefined || of === undefined
    ? undefined
    : { kind: 'function', name, parameters: [], result: sort('Set', [of]) };
}

function sortsOfVariables(variables: SExpr | undefined): SExpr | undefined {
  if (variables?.kind !== 'list') return undefined;
  const items = variables.items.flatMap((item) => (item.kind === 'list' ? item.items.slice(1, 2) : []));
  return { kind: 'list', items };
}

function sortsIn(list: SExpr | undefined): readonly Sort[] | undefined {
  if (list?.kind !== 'list') return undefined;
  const sorts = list.items.map((item) => sortOf(item)).filter((found) => found !== undefined);
  return sorts.length === list.items.length ? sorts : undefined;
}

/** Limit on the nesting of sorts in free-form text. */
const maxDepth = 100;

function sortOf(expression: SExpr | undefined, depth = 0): Sort | undefined {
  if (expression === undefined || depth > maxDepth) return undefined;
  if (expression.kind !== 'list') {
    const name = symbolOf(expression);
    return name === undefined ? undefined : sort(name);
  }
  const [head, ...rest] = expression.items;
  if (head?.kind === 'reserved' && head.text === '_') {
    const [name, ...indices] = rest;
    const symbol = symbolOf(name);
    return symbol === undefined ? undefined : { symbol, indices, args: [] };
  }
  const of = sortOf(head, depth + 1);
  const args = rest.map((item) => sortOf(item, depth + 1)).filter((found) => found !== undefined);
  return of === undefined || args.length < rest.length ? undefined : { ...of, args };
}

function datatypeDeclaration(
  first: SExpr | undefined,
  body: SExpr | undefined,
): FreeFormDeclaration | undefined {
  const name = symbolOf(first);
  const datatype = name === undefined ? undefined : datatypeOf(name, undefined, body);
  return datatype === undefined ? undefined : { kind: 'datatypes', datatypes: [datatype] };
}

/** `((List 1) …) ((par (T) …) …)`, or the form before 2.6: `(T …) ((List …) …)`. */
function datatypesDeclaration(
  heads: SExpr | undefined,
  bodies: SExpr | undefined,
): FreeFormDeclaration | undefined {
  if (heads?.kind !== 'list' || bodies?.kind !== 'list') return undefined;
  const isOld = heads.items.every((item) => item.kind === 'symbol');
  const parameters = heads.items.map(symbolOf).filter((name) => name !== undefined);
  const datatypes = bodies.items.map((body, i): Datatype | undefined => {
    if (isOld) {
      const [name, ...variants] = body.kind === 'list' ? body.items : [];
      const symbol = symbolOf(name);
      const constructors = constructorsIn(variants);
      if (symbol === undefined || constructors === undefined) return undefined;
      return { name: symbol, arity: parameters.length, parameters, constructors };
    }
    const head = heads.items[i];
    const [name, arity] = head?.kind === 'list' ? head.items : [];
    const symbol = symbolOf(name);
    return symbol === undefined || arity?.kind !== 'numeral'
      ? undefined
      : datatypeOf(symbol, Number(arity.text), body);
  });
  return datatypes.every((datatype) => datatype !== undefined) ? { kind: 'datatypes', datatypes } : undefined;
}

function datatypeOf(name: string, arity: number | undefined, body: SExpr | undefined): Datatype | undefined {
  if (body?.kind !== 'list') return undefined;
  const [first, names, variants] = body.items;
  const isParametric = first?.kind === 'reserved' && first.text === 'par';
  const constructors = isParametric
    ? variants?.kind === 'list'
      ? constructorsIn(variants.items)
      : undefined
    : constructorsIn(body.items);
  const parameters =
    isParametric && names?.kind === 'list'
      ? names.items.map(symbolOf).filter((parameter) => parameter !== undefined)
      : [];
  return constructors && { name, arity: arity ?? parameters.length, parameters, constructors };
}

function constructorsIn(variants: readonly SExpr[]): readonly Constructor[] | undefined {
  const found = variants.map((variant): Constructor | undefined => {
    const [head, ...fields] = variant.kind === 'list' ? variant.items : [variant];
    const name = symbolOf(head);
    const selectors = fields.map((field) => {
      const [selector, of] = field.kind === 'list' ? field.items : [];
      const [itsName, itsSort] = [symbolOf(selector), sortOf(of)];
      return itsName === undefined || itsSort === undefined ? undefined : { name: itsName, sort: itsSort };
    });
    return name !== undefined && selectors.every((selector) => selector !== undefined)
      ? { name, selectors }
      : undefined;
  });
  return found.every((variant) => variant !== undefined) ? found : undefined;
}
