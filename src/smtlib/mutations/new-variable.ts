import type { Random } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import type { Grammar } from '../generating/grammar.js';
import type { TermGenerator } from '../generating/term-generator.js';
import {
  assertion,
  assertionsOf,
  chooseAssertion,
  insertAfter,
  rootOccurrence,
} from '../occurrences/assertions.js';
import { momentOf, type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import type { Occurrence } from '../occurrences/term-node.js';
import { sortKey } from '../printing/sort-key.js';
import { type Command, name, type Script, type Sort, sort, type Term } from '../tree.js';
import type { MutationOptions, Rule } from './rule.js';
import { companions, depthOf, generatorAt, grammarIn } from './term-context.js';

/** Sorts of which no solver allows constants. */
const undeclarable: ReadonlySet<string> = new Set(['RegLan', 'RegEx']);

const bool = sort('Bool');

/**
 * The sorts, by number, of which a constant can be declared: those of visible constants, since the logic may exclude
 * others, and their companions.
 */
function declarableSorts(
  occurrences: Occurrences,
  grammar: Grammar,
  occurrence: Occurrence,
): readonly number[] {
  const moment = momentOf(occurrences, occurrence.command);
  const found = new Set<number>();
  const add = (candidate: Sort): void => {
    const number = undeclarable.has(candidate.symbol) ? undefined : grammar.numbers.get(sortKey(candidate));
    if (number !== undefined) found.add(number);
    companions.get(candidate.symbol)?.forEach(add);
  };
  add(bool);
  for (const declared of occurrences.declarations.constants) {
    if (declared.constant !== undefined && occurrences.declarations.isVisible(declared, moment))
      add(declared.constant.sort);
  }
  return [...found];
}

/** A Boolean term that has `variable` among its root's arguments. */
function termWith(
  variable: Term,
  itsSort: number,
  terms: TermGenerator,
  grammar: Grammar,
  random: Random,
  options: MutationOptions,
): Term | undefined {
  const bool = grammar.numbers.get('Bool');
  if (bool === undefined) return undefined;
  const takers = (grammar.choices[bool] ?? []).flatMap((instances) =>
    instances.filter((production) =>
      production.parameters.some((parameter, i) => parameter === itsSort && production.kinds[i] === 'term'),
    ),
  );
  if (takers.length === 0) return undefined;
  const production = random.pick(takers);
  const positions = [...production.parameters.keys()].filter(
    (i) => production.parameters[i] === itsSort && production.kinds[i] === 'term',
  );
  const made = terms.application(production, depthOf(options));
  return made?.kind === 'apply'
    ? { ...made, args: made.args.with(random.pick(positions), variable) }
    : undefined;
}

/** Adds a declaration before the first assertion, or right here if a command in between could end its scope. */
function withDeclaration(script: Script, after: number, declaration: Command): Script {
  const [first = after] = assertionsOf(script);
  const isClear = script.commands
    .slice(0, after)
    .every((command) => command.kind !== 'push' && command.kind !== 'pop' && command.kind !== 'other');
  return insertAfter(script, (isClear ? first : after) - 1, declaration);
}

export const newVariable: Rule = {
  summary: 'declares a variable and adds an assertion about it',
  apply(script, random, options = {}) {
    const occurrences = occurrencesIn(script);
    const after = chooseAssertion(script, random);
    if (occurrences === undefined || after === undefined) return undefined;
    const occurrence = rootOccurrence(occurrences, after);
    const grammar = grammarIn(occurrences, options);
    const chosen = random.pick(declarableSorts(occurrences, grammar, occurrence));
    const symbol = occurrences.declarations.freshName();
    const terms = generatorAt(occurrences, occurrence, random, options, grammar);
    const term = termWith(name(symbol), chosen, terms, grammar, random, options);
    if (term === undefined) return undefined;
    const result = itemAt(grammar.sorts, chosen);
    return withDeclaration(insertAfter(script, after, assertion(term)), after, {
      kind: 'declare-fun',
      name: symbol,
      parameters: [],
      result,
    });
  },
};
