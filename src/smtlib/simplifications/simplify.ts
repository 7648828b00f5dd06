/** The simplifications one step away, for a search for the smallest formula. */

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

/** All simplification rules by user-visible name, largest steps first. To add a rule, add it here. */
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

/** Rules that delete whole commands; they rarely lead to a worse local minimum. */
export const deletingRules: ReadonlySet<string> = new Set<SimplificationRule>([
  'delete-assertions',
  'delete-declarations',
  'delete-extra-commands',
]);

/**
 * Rules that come before `replace-by-value` in the other order: values are the easiest replacement and keep the
 * least.
 */
const beforeValues: readonly SimplificationRule[] = [
  'delete-assertions',
  'replace-by-child',
  'replace-by-variable',
  'delete-arguments',
  'shorten-literal',
];

/** All rules in another order, which may lead to another local minimum. */
export const simplificationRulesOtherwise: readonly SimplificationRule[] = [
  ...new Set([...beforeValues, ...simplificationRuleNames]),
];

/** The rules that remove most of a formula; the others are for readability. */
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
 * All formulas one simplification away. They are well-sorted and smaller by `weight`, so that repeated steps
 * terminate.
 */
export function simplifications(
  script: Script,
  rules: readonly SimplificationRule[] = coarse,
): readonly Simplification[] {
  return [...simplificationsInTurn(script, rules)].filter((step) => step !== undefined);
}

/**
 * Yields simplifications lazily, for formulas so large that finding all of them takes long. Yields `undefined`
 * between searches, so that the caller can do other work.
 *
 * @param isInnermostFirst change small terms before the terms that contain them
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

/** Consecutive term rules share one traversal: all of them at a term, then the next term. */
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
    // Outermost first: the checker visits a term after its subterms.
    for (const node of occurrences.commands[command]?.nodes.toReversed() ?? []) {
      if (!node.isPinned) found.push({ command, node });
    }
  }
  return found;
}
