import type { Grammar, Production } from '../generating/grammar.js';
import type { ArgumentKind } from '../generating/vocabulary.js';
import type { Random } from '../random.js';
import { replaceAt } from '../sites/replace-at.js';
import { askedAt } from '../sites/scope.js';
import { type Sites, sitesOf } from '../sites/sites.js';
import type { Placed, Spot } from '../sites/spot.js';
import type { Script, Term } from '../tree.js';
import { chooseSpot } from './choose.js';
import { depthOf, generatorAt, grammarIn } from './ground.js';
import { isOfKind, isSameFunction } from './replace-operator.js';
import type { MutationOptions, Rule } from './rule.js';

/**
 * The bandit's action (BanditFuzz; SPRFinder section 4.1): one operator somewhere in the formula gives way to the
 * named one with the same result sort. Arguments are kept where their sorts fit; what is missing is generated.
 * Undefined if the formula has no place for that operator.
 *
 * ```ts
 * replaceOperatorBy(script, 'str.replace', random);
 * ```
 */
export function replaceOperatorBy(
  script: Script,
  operator: string,
  random: Random,
  options: MutationOptions = {},
): Script | undefined {
  const sites = sitesOf(script);
  if (sites === undefined) return undefined;
  const allowed = options.operators?.has(operator) === false ? undefined : grammarIn(sites, options);
  const productions = allowed?.byName.get(operator);
  if (allowed === undefined || productions === undefined) return undefined;
  return replaceBy(sites, allowed, productions, random, options);
}

/** The operators `replaceOperatorBy` could write into this formula. */
export function operatorsFor(script: Script, options: MutationOptions = {}): readonly string[] {
  const sites = sitesOf(script);
  return sites === undefined ? [] : [...grammarIn(sites, options).byName.keys()];
}

function replaceBy(
  sites: Sites,
  grammar: Grammar,
  productions: readonly Production[],
  random: Random,
  options: MutationOptions,
): Script | undefined {
  const place = chooseSpot(sites, random, ({ spot }) => {
    const { term } = spot;
    if (term.kind !== 'apply' || spot.isPinned) return false;
    const result = grammar.numbers.get(spot.key);
    return (
      productions.some((one) => one.result === result && !isSameFunction(one.fn, term.fn)) &&
      askedAt(spot) === 'term'
    );
  });
  if (place === undefined) return undefined;
  const production = bestFitting(grammar, productions, place.spot, random);
  const made = overOldArguments(sites, grammar, production, place, random, options);
  return made === undefined ? undefined : replaceAt(sites.script, place, made);
}

/** Of an operator's instances, one that can keep the most arguments. */
function bestFitting(
  grammar: Grammar,
  productions: readonly Production[],
  spot: Spot,
  random: Random,
): Production {
  let best: Production[] = [];
  let most = -1;
  for (const one of productions) {
    if (one.result !== grammar.numbers.get(spot.key)) continue;
    const kept = matched(grammar, one, spot).filter((arg) => arg !== undefined).length;
    if (kept > most) {
      best = [];
      most = kept;
    }
    if (kept === most) best.push(one);
  }
  return random.pick(best);
}

/** For each parameter the first argument of the spot's application that fits and is not taken yet. */
function matched(grammar: Grammar, production: Production, spot: Spot): readonly (Term | undefined)[] {
  const left: (Spot | undefined)[] = [...spot.below];
  return production.parameters.map((parameter, i) => {
    const kind = production.kinds[i] as ArgumentKind;
    const at = left.findIndex(
      (one) => one !== undefined && grammar.numbers.get(one.key) === parameter && isOfKind(one.term, kind),
    );
    if (at < 0) return undefined;
    const { term } = left[at] as Spot;
    left[at] = undefined;
    return term;
  });
}

function overOldArguments(
  sites: Sites,
  grammar: Grammar,
  production: Production,
  place: Placed,
  random: Random,
  options: MutationOptions,
): Term | undefined {
  const old = matched(grammar, production, place.spot);
  const generator = old.includes(undefined) ? generatorAt(sites, place, random, options, grammar) : undefined;
  // What is generated here stands below an operator already.
  const depth = Math.max(0, depthOf(options) - 1);
  const args: Term[] = [];
  for (const [i, one] of old.entries()) {
    const arg =
      one ??
      generator?.argument(production.parameters[i] as number, production.kinds[i] as ArgumentKind, depth);
    if (arg === undefined) return undefined;
    args.push(arg);
  }
  return { kind: 'apply', fn: production.fn, args };
}

export const changeOperator: Rule = {
  says: 'puts another operator with the same result over what fits of the arguments',
  apply(script, random, options = {}) {
    const sites = sitesOf(script);
    if (sites === undefined) return undefined;
    const grammar = grammarIn(sites, options);
    for (const name of random.sample([...grammar.byName.keys()], tries)) {
      const changed = replaceBy(sites, grammar, grammar.byName.get(name) ?? [], random, options);
      if (changed !== undefined) return changed;
    }
    return undefined;
  },
};

/** How many operators are tried: most formulas have a place for most of them. */
const tries = 8;
