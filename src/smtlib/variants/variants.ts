/**
 * All formulas one small change away from another: four kinds of replacement and three of pruning, at every node of
 * every assertion, breadth first (SMTLOC, 2.2.1, Algorithm 1).
 */

import { itemAt } from '../collections.js';
import { type Grammar, grammarOf, shapeKey } from '../generating/grammar.js';
import { usesIn } from '../generating/logics.js';
import type { Section } from '../generating/vocabulary.js';
import { alternatives, isOfKind } from '../mutations/replace-operator.js';
import { grammarIn } from '../mutations/term-context.js';
import { isLiteral, isNonzero } from '../occurrences/literal-terms.js';
import { momentOf, nodesOf, type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { boundAt, constraintAt, namesBoundBy } from '../occurrences/scope.js';
import type { TermNode } from '../occurrences/term-node.js';
import { printTerm } from '../printing/print.js';
import { isValue, simpleValues } from '../simplifications/values.js';
import { operatorsByName } from '../theories/index.js';
import { indexedSort, name, type Script, type Sort, sort, type Term } from '../tree.js';
import { neighbourConstants } from './constants.js';

export type VariantChange = 'constant' | 'variable' | 'operator' | 'function' | 'pruning' | 'command';

export interface Variant {
  readonly formula: Script;
  readonly change: VariantChange;
  /** `+ to -`, `str.++ to ""`; for constants and variables the kind only. */
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

/** Operators of one class may replace each other if their sorts fit (Table 1). */
const classes: readonly ReadonlySet<string>[] = [
  ['and', 'or', 'xor', '=>'],
  ['=', 'distinct', '<', '<=', '>', '>='],
  ['+', '-', '*', '/', 'div', 'mod'],
].map((names) => new Set(names));

function replacementKind(one: string, other: string): VariantChange | undefined {
  const own = classes.find((names) => names.has(one));
  if (own !== undefined) return own.has(other) ? 'operator' : undefined;
  return classes.some((names) => names.has(other)) ? undefined : 'function';
}

/** Longer terms are truncated in `before` and `after`. */
export const maxShownLength = 60;

/** The variants that are well-sorted, each once; none if the formula's sorts are unknown. */
export function* variants(script: Script): Generator<Variant> {
  const occurrences = occurrencesIn(script);
  if (occurrences === undefined) return;
  const grammar = grammarIn(occurrences, {});
  for (const command of occurrences.changeable) {
    if (script.commands[command]?.kind !== 'assert') continue;
    for (const node of breadthFirst(nodesOf(occurrences, command).nodes)) {
      // A literal such as `(- 3)` is changed as a whole; named and constrained terms stay.
      if (node.isPinned || (node.parent !== undefined && isLiteral(node.parent.term))) continue;
      for (const [change, term] of changesAt(occurrences, grammar, command, node)) {
        const [before, after] = [shown(node.term), shown(term)];
        const rule = ruleOf(change, node.term, term);
        yield { formula: replaceAt(script, { command, node }, term), change, rule, before, after };
      }
    }
  }
}

function shown(term: Term): string {
  const text = printTerm(term);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength - 1)}…` : text;
}

function ruleOf(change: VariantChange, before: Term, after: Term): string {
  if (change === 'constant' || change === 'variable') return change;
  const head = (term: Term): string => (term.kind === 'apply' ? term.fn.symbol : term.kind);
  return `${head(before)} to ${change === 'pruning' ? shown(after) : head(after)}`;
}

/** Nodes are collected innermost first, so the order has to be rebuilt. */
function breadthFirst(nodes: readonly TermNode[]): readonly TermNode[] {
  const roots = nodes.filter(({ parent }) => parent === undefined);
  const found: TermNode[] = [...roots];
  for (let at = 0; at < found.length; at++) found.push(...(found[at]?.below ?? []));
  return found;
}

function* changesAt(
  occurrences: Occurrences,
  grammar: Grammar,
  command: number,
  node: TermNode,
): Generator<readonly [VariantChange, Term]> {
  const constraint = constraintAt(node);
  if (constraint === 'itself') return;
  const { term } = node;
  if (isLiteral(term)) {
    for (const next of neighbourConstants(term))
      if (constraint !== 'nonzero' || isNonzero(next)) yield ['constant', next];
    return;
  }
  if (constraint !== 'term') return;
  if (term.kind === 'name') {
    for (const other of variablesLike(occurrences, command, node)) yield ['variable', name(other)];
    return;
  }
  if (term.kind === 'apply')
    for (const fn of othersFor(grammar, node)) {
      const change = replacementKind(term.fn.symbol, fn.symbol);
      if (change !== undefined) yield [change, { kind: 'apply', fn, args: term.args }];
    }
  for (const value of pruningsOf(occurrences.script, node)) yield ['pruning', value];
}

/** Other variables of the same sort that are visible at the node. */
function variablesLike(occurrences: Occurrences, command: number, node: TermNode): readonly string[] {
  if (node.term.kind !== 'name') return [];
  const own = node.term.id.symbol;
  const bound = boundAt(occurrences, { command, node });
  const moment = momentOf(occurrences, command);
  const { declarations } = occurrences;
  const declared = declarations.constants.filter(
    (candidate) =>
      candidate.constant?.key === node.key &&
      !bound.has(candidate.name) &&
      declarations.isVisible(candidate, moment) &&
      declarations.byName.get(candidate.name)?.length === 1,
  );
  // A constructor, for example, is not a variable and is not replaced by one.
  const isVariable = bound.has(own) || declarations.constants.some((candidate) => candidate.name === own);
  const around = [...bound].filter(([, key]) => key === node.key).map(([symbol]) => symbol);
  return isVariable ? [...around, ...declared.map((one) => one.name)].filter((other) => other !== own) : [];
}

/** Operators that can replace the node's one; for three or more arguments, operators that take any number. */
function othersFor(
  grammar: Grammar,
  node: TermNode,
): readonly Grammar['choices'][number][number][number]['fn'][] {
  const { term, below } = node;
  if (term.kind !== 'apply') return [];
  const exact = alternatives(grammar, node);
  if (exact.length > 0 || below.length < 3) return exact.map(({ fn }) => fn);
  const [first, second] = below.map(({ key }) => grammar.numbers.get(key));
  const result = grammar.numbers.get(node.key);
  const isEven = below.every(({ key }) => key === below[0]?.key);
  if (first === undefined || second === undefined || result === undefined || !isEven) return [];
  return (grammar.byShape.get(shapeKey([first, second], result)) ?? [])
    .filter(({ fn, kinds }) => {
      const takesMore = operatorsByName.get(fn.symbol)?.some(({ shape }) => shape !== 'fixed') ?? false;
      const last = itemAt(kinds, kinds.length - 1);
      return (
        takesMore &&
        fn.symbol !== term.fn.symbol &&
        term.args.every((arg, at) => isOfKind(arg, kinds[at] ?? last))
      );
    })
    .map(({ fn }) => fn);
}

/** Replacements for a node with children; empty if it binds variables. */
function pruningsOf(script: Script, { term, sort: own, key, below }: TermNode): readonly Term[] {
  if (below.length === 0 || isValue(term) || namesBoundBy(term).length > 0) return [];
  const values = simplestValues(own, script);
  // If the sort has no values, use subterms of the same sort.
  return values.length > 0 ? values : below.filter((part) => part.key === key).map((part) => part.term);
}

/** The rules of a theory, as the paper counts them. */
export interface VariantRules {
  readonly theory: string;
  readonly replacements: readonly string[];
  readonly prunings: readonly string[];
}

/** A theory with its sorts, its own vocabulary sections, and the sections it is combined with. */
interface TheorySections {
  readonly theory: string;
  readonly sorts: readonly Sort[];
  readonly own: readonly Section[];
  readonly additional: readonly Section[];
}

const arithmetic = ['comparisons', 'linear', 'nonlinear'] as const satisfies readonly Section[];

const theorySections: readonly TheorySections[] = [
  { theory: 'Bool', sorts: [], own: ['core'], additional: [] },
  { theory: 'Ints', sorts: [sort('Int')], own: arithmetic, additional: ['core'] },
  { theory: 'Reals', sorts: [sort('Real')], own: arithmetic, additional: ['core'] },
  {
    theory: 'Strings',
    sorts: [sort('Int'), sort('String'), sort('RegLan')],
    own: ['strings'],
    additional: ['core', ...arithmetic],
  },
  { theory: 'bit-vectors', sorts: [indexedSort('BitVec', 8)], own: ['bitVectors'], additional: ['core'] },
  {
    theory: 'floats',
    sorts: [sort('RoundingMode'), indexedSort('FloatingPoint', 8, 24)],
    own: ['floats'],
    additional: ['core'],
  },
  {
    theory: 'arrays',
    sorts: [sort('Int'), sort('Array', [sort('Int'), sort('Int')])],
    own: ['arrays'],
    additional: ['core', ...arithmetic],
  },
];

/** All rules of each theory: replacements over the same arguments, and prunings. */
export function variantRules(): readonly VariantRules[] {
  return theorySections.map(({ theory, sorts, own, additional: beside }) => {
    const all = [sort('Bool'), ...sorts];
    const whole = rulesOf(all, [...beside, ...own]);
    const others = rulesOf(all, beside);
    const without = (rules: ReadonlySet<string>, known: ReadonlySet<string>): readonly string[] =>
      [...rules].filter((rule) => !known.has(rule)).toSorted();
    return {
      theory,
      replacements: without(whole.replacements, others.replacements),
      prunings: without(whole.prunings, others.prunings),
    };
  });
}

function rulesOf(
  sorts: readonly Sort[],
  sections: readonly Section[],
): { readonly replacements: ReadonlySet<string>; readonly prunings: ReadonlySet<string> } {
  const grammar = grammarOf(sorts, usesIn(sections));
  const replacements = new Set<string>();
  for (const same of grammar.byShape.values()) {
    const names = [...new Set(same.map(({ fn }) => fn.symbol))];
    for (const one of names)
      for (const other of names)
        if (one !== other && replacementKind(one, other) !== undefined)
          replacements.add(`${one} to ${other}`);
  }
  const prunings = new Set<string>();
  for (const [symbol, productions] of grammar.byName)
    for (const { result } of productions)
      for (const value of simplestValues(itemAt(sorts, result), noCommands))
        prunings.add(`${symbol} to ${printTerm(value)}`);
  return { replacements, prunings };
}

const noCommands: Script = { commands: [] };

/** Both truth values; of other sorts the simplest value only. */
function simplestValues(own: Sort, script: Script): readonly Term[] {
  const values = simpleValues(own, script);
  return own.symbol === 'Bool' ? values : values.slice(0, 1);
}
