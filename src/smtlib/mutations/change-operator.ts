import type { Random } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import type { Grammar, Production } from '../generating/grammar.js';
import { type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { constraintAt } from '../occurrences/scope.js';
import type { Occurrence, TermNode } from '../occurrences/term-node.js';
import type { Script, Term } from '../tree.js';
import { chooseOccurrence } from './choose.js';
import { isOfKind, isSameFunction } from './replace-operator.js';
import type { MutationOptions, Rule } from './rule.js';
import { depthOf, generatorAt, grammarIn } from './term-context.js';

/**
 * The bandit's action (BanditFuzz; SPRFinder section 4.1): replaces one random operator by the named one with the
 * same result sort. Arguments are kept if their sorts fit; missing ones are generated. Undefined if the operator fits
 * nowhere in the formula.
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
  const occurrences = occurrencesIn(script);
  if (occurrences === undefined) return undefined;
  const allowed = options.operators?.has(operator) === false ? undefined : grammarIn(occurrences, options);
  const productions = allowed?.byName.get(operator);
  if (allowed === undefined || productions === undefined) return undefined;
  return replaceBy(occurrences, allowed, productions, random, options);
}

/** The operators that `replaceOperatorBy` can write into this formula. */
export function operatorsFor(script: Script, options: MutationOptions = {}): readonly string[] {
  const occurrences = occurrencesIn(script);
  return occurrences === undefined ? [] : [...grammarIn(occurrences, options).byName.keys()];
}

function replaceBy(
  occurrences: Occurrences,
  grammar: Grammar,
  productions: readonly Production[],
  random: Random,
  options: MutationOptions,
): Script | undefined {
  const occurrence = chooseOccurrence(occurrences, random, ({ node }) => {
    const { term } = node;
    if (term.kind !== 'apply' || node.isPinned) return false;
    const result = grammar.numbers.get(node.key);
    return (
      productions.some(
        (production) => production.result === result && !isSameFunction(production.fn, term.fn),
      ) && constraintAt(node) === 'term'
    );
  });
  if (occurrence === undefined) return undefined;
  const production = bestFitting(grammar, productions, occurrence.node, random);
  const made = applyToOldArguments(occurrences, grammar, production, occurrence, random, options);
  return made === undefined ? undefined : replaceAt(occurrences.script, occurrence, made);
}

/** A random one of the productions that keep the most arguments. */
function bestFitting(
  grammar: Grammar,
  productions: readonly Production[],
  node: TermNode,
  random: Random,
): Production {
  let best: Production[] = [];
  let most = -1;
  for (const production of productions) {
    if (production.result !== grammar.numbers.get(node.key)) continue;
    const kept = matchingArguments(grammar, production, node).filter((arg) => arg !== undefined).length;
    if (kept > most) {
      best = [];
      most = kept;
    }
    if (kept === most) best.push(production);
  }
  return random.pick(best);
}

/** For each parameter, the first unused argument of the node that fits. */
function matchingArguments(
  grammar: Grammar,
  production: Production,
  node: TermNode,
): readonly (Term | undefined)[] {
  const left: (TermNode | undefined)[] = [...node.below];
  return production.parameters.map((parameter, i) => {
    const kind = itemAt(production.kinds, i);
    const at = left.findIndex(
      (argument) =>
        argument !== undefined &&
        grammar.numbers.get(argument.key) === parameter &&
        isOfKind(argument.term, kind),
    );
    const found = left[at];
    if (found === undefined) return undefined;
    left[at] = undefined;
    return found.term;
  });
}

function applyToOldArguments(
  occurrences: Occurrences,
  grammar: Grammar,
  production: Production,
  occurrence: Occurrence,
  random: Random,
  options: MutationOptions,
): Term | undefined {
  const old = matchingArguments(grammar, production, occurrence.node);
  const generator = old.includes(undefined)
    ? generatorAt(occurrences, occurrence, random, options, grammar)
    : undefined;
  // The generated argument is already below an operator.
  const depth = Math.max(0, depthOf(options) - 1);
  const args: Term[] = [];
  for (const [i, oldArgument] of old.entries()) {
    const arg =
      oldArgument ??
      generator?.argument(itemAt(production.parameters, i), itemAt(production.kinds, i), depth);
    if (arg === undefined) return undefined;
    args.push(arg);
  }
  return { kind: 'apply', fn: production.fn, args };
}

export const changeOperator: Rule = {
  summary: 'replaces an operator by one with the same result sort; keeps the arguments that fit',
  apply(script, random, options = {}) {
    const occurrences = occurrencesIn(script);
    if (occurrences === undefined) return undefined;
    const grammar = grammarIn(occurrences, options);
    for (const name of random.sample([...grammar.byName.keys()], maxOperatorsTried)) {
      const changed = replaceBy(occurrences, grammar, grammar.byName.get(name) ?? [], random, options);
      if (changed !== undefined) return changed;
    }
    return undefined;
  },
};

/** Operators to try; most operators fit somewhere in most formulas. */
const maxOperatorsTried = 8;
