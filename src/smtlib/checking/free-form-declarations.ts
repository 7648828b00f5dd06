/**
 * Declarations of single solvers. The tree keeps these commands as free-form text, so that a filter by command name
 * covers them; this file extracts what they declare.
 */

import { LocatedFault } from '../../machine/index.js';
import { printCommand } from '../printing/print.js';
import { readScript } from '../reading/parse.js';
import type { Command, Datatype, SExpr, Sort } from '../tree.js';

export type FreeFormDeclaration =
  | { readonly kind: 'sort-parameter'; readonly name: string }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly parameters: readonly Sort[];
      readonly result: Sort;
    }
  | { readonly kind: 'datatypes'; readonly datatypes: readonly Datatype[] };

type Rest = readonly (SExpr | undefined)[];

/** For each command the arguments of the standard `declare-fun` or `declare-datatypes` that declares the same. */
const standardForms: ReadonlyMap<string, (rest: Rest) => readonly [command: string, ...rest: Rest]> = new Map<
  string,
  (rest: Rest) => readonly [command: string, ...rest: Rest]
>([
  // Z3's fixed points, and SyGuS.
  ['declare-var', ([name, result]) => ['declare-fun', name, list(), result]],
  ['declare-rel', ([name, parameters]) => ['declare-fun', name, parameters, bool]],
  ['synth-fun', ([name, variables, result]) => ['declare-fun', name, sortsOfVariables(variables), result]],
  ['synth-inv', ([name, variables]) => ['declare-fun', name, sortsOfVariables(variables), bool]],
  ['declare-oracle-fun', ([name, parameters, result]) => ['declare-fun', name, parameters, result]],
  // cvc5's pools are sets of terms for instantiation.
  ['declare-pool', ([name, element]) => ['declare-fun', name, list(), setOf(element)]],
  ['declare-codatatypes', ([heads, bodies]) => ['declare-datatypes', heads, bodies]],
  ['declare-codatatype', ([name, body]) => ['declare-datatype', name, body]],
  // The form with Z3's `:subterm` at the end.
  ['declare-datatype', ([name, body]) => ['declare-datatype', name, body]],
  ['declare-datatypes', ([heads, bodies]) => ['declare-datatypes', heads, bodies]],
]);

const bool: SExpr = { kind: 'symbol', text: 'Bool' };

function list(...items: readonly SExpr[]): SExpr {
  return { kind: 'list', items };
}

function setOf(element: SExpr | undefined): SExpr | undefined {
  return element && list({ kind: 'symbol', text: 'Set' }, element);
}

function sortsOfVariables(variables: SExpr | undefined): SExpr | undefined {
  return variables?.kind === 'list'
    ? list(...variables.items.flatMap((item) => (item.kind === 'list' ? item.items.slice(1, 2) : [])))
    : undefined;
}

/** The declaration in a free-form command; undefined for every other command. */
export function freeFormDeclarationIn(command: Command): FreeFormDeclaration | undefined {
  if (command.kind !== 'other') return undefined;
  const [first] = command.rest;
  // Z3's name is `declare-type-var`.
  if (command.name === 'declare-sort-parameter' || command.name === 'declare-type-var')
    return first?.kind === 'symbol' ? { kind: 'sort-parameter', name: first.text } : undefined;
  const [name = '', ...rest] = standardForms.get(command.name)?.(command.rest) ?? [];
  const given = rest.flatMap((item): readonly SExpr[] => (item === undefined ? [] : [item]));
  if (name === '' || given.length < rest.length) return undefined;
  const script = readScript(printCommand({ kind: 'other', name, rest: given }));
  const standard = script instanceof LocatedFault ? undefined : script.commands[0];
  if (standard?.kind === 'declare-datatypes') return { kind: 'datatypes', datatypes: standard.datatypes };
  return standard?.kind === 'declare-fun' ? { ...standard, kind: 'function' } : undefined;
}
