import type { Grammar } from '../grammar.js';
import type { Random } from '../random.js';
import { type Placed, type Sites, sitesOf } from '../sites.js';
import type { TermGenerator } from '../term-generator.js';
import { sortsByName } from '../theories/index.js';
import { type Command, name, type Script, type Sort, type Term } from '../tree.js';
import { assertion, assertionsOf, chooseAssertion, insertAfter, rootPlace } from './assertions.js';
import { depthOf, generatorAt, grammarIn } from './ground.js';
import type { MutationOptions, Rule } from './rule.js';

/** Sorts no solver lets a formula declare constants of. */
const undeclarable: ReadonlySet<string> = new Set(['RegLan', 'RegEx', 'Unicode', '->']);

function isBuiltIn(sort: Sort): boolean {
  return sortsByName.has(sort.symbol) && !undeclarable.has(sort.symbol) && sort.args.every(isBuiltIn);
}

/** The sorts a constant can be declared of at a place, as the grammar's numbers. */
function declarableSorts(sites: Sites, grammar: Grammar, place: Placed): readonly number[] {
  const moment = sites.moments[place.command] as number;
  const inUse = new Set<string | undefined>();
  for (const one of sites.declarations.constants) {
    if (sites.declarations.isVisible(one, moment)) inUse.add(one.constant?.key);
  }
  const found: number[] = [];
  for (const [key, number] of grammar.numbers) {
    if (inUse.has(key) || isBuiltIn(grammar.sorts[number] as Sort)) found.push(number);
  }
  return found;
}

/** A boolean term with this one among the arguments of its operator. */
function termOn(
  variable: Term,
  sort: number,
  terms: TermGenerator,
  grammar: Grammar,
  random: Random,
  options: MutationOptions,
): Term | undefined {
  const bool = grammar.numbers.get('Bool') as number;
  const takers = (grammar.choices[bool] ?? []).flatMap((instances) =>
    instances.filter((one) =>
      one.parameters.some((parameter, i) => parameter === sort && one.kinds[i] === 'term'),
    ),
  );
  if (takers.length === 0) return undefined;
  const production = random.pick(takers);
  const places = [...production.parameters.keys()].filter(
    (i) => production.parameters[i] === sort && production.kinds[i] === 'term',
  );
  const made = terms.application(production, depthOf(options));
  return made?.kind === 'apply'
    ? { ...made, args: made.args.with(random.pick(places), variable) }
    : undefined;
}

/** With the other declarations where nothing stands in between that could take it back; else right here. */
function declared(script: Script, after: number, declaration: Command): Script {
  const [first = after] = assertionsOf(script);
  const isClear = script.commands
    .slice(0, after)
    .every((one) => one.kind !== 'push' && one.kind !== 'pop' && one.kind !== 'other');
  return insertAfter(script, (isClear ? first : after) - 1, declaration);
}

export const newVariable: Rule = {
  says: 'declares a variable and asserts something about it',
  apply(script, random, options = {}) {
    const sites = sitesOf(script);
    const after = chooseAssertion(script, random);
    if (sites === undefined || after === undefined) return undefined;
    const place = rootPlace(sites, after);
    const grammar = grammarIn(sites, options);
    const sort = random.pick(declarableSorts(sites, grammar, place));
    const symbol = sites.declarations.freshName();
    const terms = generatorAt(sites, place, random, options, grammar);
    const term = termOn(name(symbol), sort, terms, grammar, random, options);
    if (term === undefined) return undefined;
    const result = grammar.sorts[sort] as Sort;
    return declared(insertAfter(script, after, assertion(term)), after, {
      kind: 'declare-fun',
      name: symbol,
      parameters: [],
      result,
    });
  },
};
