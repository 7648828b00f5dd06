/** The context of an occurrence for generated terms: the formula's sorts, operators and visible variables. */

import type { Random } from '../../machine/index.js';
import type { Declarations } from '../checking/declarations.js';
import { readsNumeralsAsReal } from '../checking/environment.js';
import { itemAt } from '../collections.js';
import { type Grammar, grammarOf } from '../generating/grammar.js';
import { LiteralSource } from '../generating/literal-source.js';
import { sectionsIn, usesIn } from '../generating/logics.js';
import { TermGenerator } from '../generating/term-generator.js';
import { usesOf } from '../generating/vocabulary.js';
import { momentOf, type Occurrences } from '../occurrences/occurrences.js';
import { boundAt, canMove } from '../occurrences/scope.js';
import type { Occurrence } from '../occurrences/term-node.js';
import { sortKey } from '../printing/sort-key.js';
import { operatorsByName } from '../theories/index.js';
import { name, type Sort, sort, type Term } from '../tree.js';
import type { MutationOptions } from './rule.js';

const defaults = {
  depth: 2,
  literals: 'random',
  literalLength: 10,
  literalProbability: 0.2,
} as const satisfies MutationOptions;

export function depthOf(options: MutationOptions): number {
  return options.depth ?? defaults.depth;
}

/** Additional sorts: string solvers also have integers and regular languages. */
export const companions: ReadonlyMap<string, readonly Sort[]> = new Map([
  ['String', [sort('Int'), sort('RegLan')]],
]);

/** A formula with more sorts is mutated within the first ones. */
const maxSorts = 32;

const bool = sort('Bool');

/** The sorts of a formula's terms, in an order that depends on the formula only. */
function sortsOf(occurrences: Occurrences): ReadonlyMap<string, Sort> {
  const found = new Map<string, Sort>();
  const add = (candidate: Sort): void => {
    const key = sortKey(candidate);
    // Function sorts are not arrays in all solvers, and have equality only in some logics.
    if (found.has(key) || found.size >= maxSorts || candidate.symbol === '->') return;
    found.set(key, candidate);
    candidate.args.forEach(add);
    companions.get(candidate.symbol)?.forEach(add);
  };
  add(bool);
  for (const declared of occurrences.declarations.constants)
    if (declared.constant !== undefined) add(declared.constant.sort);
  for (const at of occurrences.changeable)
    for (const entry of occurrences.commands[at]?.sorts ?? []) add(entry.sort);
  // An integer declared before `set-logic`: in this logic, numerals are reals.
  const { logic } = occurrences.declarations;
  if (logic !== undefined && readsNumeralsAsReal(logic)) found.delete('Int');
  return found;
}

const grammars = new Map<string, Grammar>();
const maxCachedGrammars = 200;

/** A number for each set of operators, for use in cache keys. */
const setNumbers = new WeakMap<ReadonlySet<string>, number>();
let lastSet = 0;

function setNumber(operators: ReadonlySet<string>): number {
  let number = setNumbers.get(operators);
  if (number === undefined) {
    number = ++lastSet;
    setNumbers.set(operators, number);
  }
  return number;
}

/** Built-in operators that the formula redeclares. */
function redeclared(declarations: Declarations): readonly string[] {
  return [...declarations.byName.keys()].filter((symbol) => operatorsByName.has(symbol));
}

/** The grammar over a formula's sorts and allowed operators. */
export function grammarIn(occurrences: Occurrences, options: MutationOptions): Grammar {
  const sorts = sortsOf(occurrences);
  const { declarations } = occurrences;
  const sections = sectionsIn(declarations.logic);
  const avoided = redeclared(declarations);
  const { operators } = options;
  const key = [
    operators === undefined ? 0 : setNumber(operators),
    ...sections,
    '',
    ...avoided,
    '',
    ...sorts.keys(),
  ].join('|');
  let grammar = grammars.get(key);
  if (grammar === undefined) {
    if (grammars.size >= maxCachedGrammars) grammars.clear();
    const uses = usesIn(sections);
    const chosen = operators === undefined ? uses : usesOf(operators, uses);
    grammar = grammarOf(
      [...sorts.values()],
      chosen.filter((use) => !avoided.includes(use.name)),
    );
    grammars.set(key, grammar);
  }
  return grammar;
}

/** The visible constants that no bound name hides, and the bound variables, by sort number. */
function variablesAt(
  occurrences: Occurrences,
  grammar: Grammar,
  moment: number,
  bound: ReadonlyMap<string, string | undefined>,
): Term[][] {
  const found: Term[][] = grammar.sorts.map(() => []);
  for (const declared of occurrences.declarations.constants) {
    if (declared.constant === undefined || bound.has(declared.name)) continue;
    // A name with several declarations is ambiguous.
    if (
      !occurrences.declarations.isVisible(declared, moment) ||
      occurrences.declarations.byName.get(declared.name)?.length !== 1
    )
      continue;
    const number = grammar.numbers.get(declared.constant.key);
    if (number !== undefined) found[number]?.push(declared.constant.term);
  }
  for (const [symbol, key] of bound) {
    const number = key === undefined ? undefined : grammar.numbers.get(key);
    if (number !== undefined) found[number]?.push(name(symbol));
  }
  return found;
}

const maxDonors = 4;

/** For sorts with neither variables nor literals, offers terms from elsewhere in the formula. */
function addDonors(
  occurrences: Occurrences,
  grammar: Grammar,
  variables: Term[][],
  occurrence: Occurrence,
): void {
  for (const [number, terms] of variables.entries()) {
    if (terms.length > 0 || grammar.literals[number] !== undefined) continue;
    const key = sortKey(itemAt(grammar.sorts, number));
    for (const command of occurrences.changeable) {
      const found = occurrences.commands[command];
      if (found === undefined || !found.sorts.some((other) => other.key === key)) continue;
      for (const node of found.nodes) {
        if (terms.length >= maxDonors) break;
        if (node.key === key && !node.isPinned && canMove(occurrences, { command, node }, occurrence))
          terms.push(node.term);
      }
    }
  }
}

/** A generator of terms that can replace the term at an occurrence. */
export function generatorAt(
  occurrences: Occurrences,
  occurrence: Occurrence,
  random: Random,
  options: MutationOptions,
  grammar: Grammar = grammarIn(occurrences, options),
): TermGenerator {
  const moment = momentOf(occurrences, occurrence.command);
  const variables = variablesAt(occurrences, grammar, moment, boundAt(occurrences, occurrence));
  addDonors(occurrences, grammar, variables, occurrence);
  return new TermGenerator(random, {
    grammar,
    variables,
    literals: new LiteralSource(
      random,
      options.literals ?? defaults.literals,
      options.literalLength ?? defaults.literalLength,
    ),
    literalProbability: options.literalProbability ?? defaults.literalProbability,
  });
}
