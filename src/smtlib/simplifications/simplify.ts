/** Smaller formulas one step away: what a search for the smallest formula of a kind tries next. */

import { type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import type { Occurrence } from '../occurrences/term-node.js';
import type { Script } from '../tree.js';
import {
  declareConstants,
  deleteAnnotations,
  deleteAssertions,
  deleteCheckSat,
  deleteDeclarations,
  deleteExtraCommands,
  deletePushPop,
  deleteUnusedSorts,
  simplifyLogic,
} from './commands.js';
import { inlineDefinition, inlineLet } from './definitions.js';
import { introduceVariable } from './fresh-variables.js';
import {
  reduceRepetitions,
  repeatWithoutCount,
  shortenLiteral,
  shortenLiteralsTogether,
  unifyLetters,
} from './literals.js';
import { dropTruthValue, negateRelation } from './negations.js';
import { deleteBoundVariables, instantiateQuantifier } from './quantifiers.js';
import { changeRelation, splitConjunction } from './relations.js';
import type { Replacement, Rule, ScriptRule, Simplification, TermRule } from './rule.js';
import {
  deleteArguments,
  dropOptionalArgument,
  flattenArguments,
  replaceByChild,
  replaceByOtherVariable,
  replaceByValue,
  replaceByVariable,
  simplifyOperator,
} from './terms.js';
import { inlineVariable, mergeAllVariables, mergeVariables, shortenNames } from './variables.js';

export type { Simplification } from './rule.js';
export { weight } from './weight.js';

/** Every rule by the name a user calls it, the largest steps first. Adding one means adding its value here. */
export const simplificationRules = {
  'delete-assertions': deleteAssertions,
  'replace-by-child': replaceByChild,
  'replace-by-value': replaceByValue,
  'replace-by-variable': replaceByVariable,
  'delete-arguments': deleteArguments,
  'flatten-arguments': flattenArguments,
  'negate-relation': negateRelation,
  'drop-truth-value': dropTruthValue,
  'inline-let': inlineLet,
  'delete-bound-variables': deleteBoundVariables,
  'instantiate-quantifier': instantiateQuantifier,
  'delete-declarations': deleteDeclarations,
  'delete-extra-commands': deleteExtraCommands,
  'delete-check-sat': deleteCheckSat,
  'delete-push-pop': deletePushPop,
  'delete-annotations': deleteAnnotations,
  'inline-definition': inlineDefinition,
  'split-conjunction': splitConjunction,
  'merge-variables': mergeVariables,
  'merge-all-variables': mergeAllVariables,
  'inline-variable': inlineVariable,
  'shorten-literal': shortenLiteral,
  'shorten-literals-together': shortenLiteralsTogether,
  'simplify-operator': simplifyOperator,
  'repeat-without-count': repeatWithoutCount,
  'reduce-repetitions': reduceRepetitions,
  'replace-by-other-variable': replaceByOtherVariable,
  'introduce-variable': introduceVariable,
  'drop-optional-argument': dropOptionalArgument,
  'change-relation': changeRelation,
  'unify-letters': unifyLetters,
  'simplify-logic': simplifyLogic,
  'delete-unused-sorts': deleteUnusedSorts,
  'declare-constants': declareConstants,
  'shorten-names': shortenNames,
} as const satisfies Record<string, Rule>;

export type SimplificationRule = keyof typeof simplificationRules;

export const simplificationRuleNames = Object.keys(simplificationRules) as readonly SimplificationRule[];

/** Leaving out whole commands, which hardly ever leads astray. */
export const deletingRules: ReadonlySet<string> = new Set<SimplificationRule>([
  'delete-assertions',
  'delete-declarations',
  'delete-extra-commands',
]);

/** What is tried before values in the other order, which are the easiest to come by and say the least. */
const beforeValues: readonly SimplificationRule[] = [
  'delete-assertions',
  'replace-by-child',
  'replace-by-variable',
  'delete-arguments',
  'shorten-literal',
];

/** The same in another order, which may end in another formula. */
export const simplificationRulesOtherwise: readonly SimplificationRule[] = [
  ...new Set([...beforeValues, ...simplificationRuleNames]),
];

/** Those that make the most of a formula go; the rest is for formulas that people are to read. */
const coarse: readonly SimplificationRule[] = [
  'delete-assertions',
  'replace-by-child',
  'replace-by-value',
  'replace-by-variable',
  'delete-arguments',
  'delete-declarations',
  'shorten-literal',
];

/**
 * Every formula one simplification away. All are well-sorted and smaller by `weight`, so that taking one after another
 * comes to an end.
 */
export function simplifications(
  script: Script,
  rules: readonly SimplificationRule[] = coarse,
): readonly Simplification[] {
  return [...simplificationsInTurn(script, rules)].filter((step) => step !== undefined);
}

/**
 * The same one by one, for formulas so large that finding all of them takes long; `undefined` where none was found for a
 * while, so that who waits for the next one can look up in between.
 *
 * @param isInnermostFirst small terms are changed before the large ones they stand in, not after them
 */
export function* simplificationsInTurn(
  script: Script,
  rules: readonly SimplificationRule[] = coarse,
  isInnermostFirst = false,
): Generator<Simplification | undefined> {
  const occurrences = occurrencesIn(script);
  if (occurrences === undefined) return;
  const outermostFirst = changeableOccurrences(occurrences);
  const changeable = isInnermostFirst ? outermostFirst.toReversed() : outermostFirst;
  for (const pass of passes(rules)) {
    if (pass.kind === 'script') {
      yield undefined;
      for (const make of pass.rule.scripts(occurrences)) yield { rule: pass.name, make };
      continue;
    }
    for (const occurrence of changeable) {
      yield undefined;
      for (const [name, rule] of pass.rules) {
        for (const term of rule.terms(occurrences, occurrence)) {
          yield { rule: name, make: () => replaced(script, occurrence, term) };
        }
      }
    }
  }
}

function replaced(script: Script, occurrence: Occurrence, replacement: Replacement): Script | undefined {
  const term = typeof replacement === 'function' ? replacement() : replacement;
  return term === undefined ? undefined : replaceAt(script, occurrence, term);
}

type Pass =
  | { readonly kind: 'script'; readonly name: string; readonly rule: ScriptRule }
  | { readonly kind: 'terms'; readonly rules: (readonly [name: string, rule: TermRule])[] };

/** Term rules that follow one another go through the formula together: all of them at a term, then the next term. */
function passes(names: readonly SimplificationRule[]): readonly Pass[] {
  const found: Pass[] = [];
  for (const name of names) {
    const rule: Rule = simplificationRules[name];
    const last = found.at(-1);
    if ('scripts' in rule) found.push({ kind: 'script', name, rule });
    else if (last?.kind === 'terms') last.rules.push([name, rule]);
    else found.push({ kind: 'terms', rules: [[name, rule]] });
  }
  return found;
}

function changeableOccurrences(occurrences: Occurrences): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const command of occurrences.changeable) {
    // Outermost first: the checker passes a term after everything below it.
    for (const node of occurrences.commands[command]?.nodes.toReversed() ?? []) {
      if (!node.isPinned) found.push({ command, node });
    }
  }
  return found;
}
