/** The simplifications one step away, for a search for the smallest formula. */

import { type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import type { Occurrence } from '../occurrences/term-node.js';
import type { Script } from '../tree.js';
import * as commands from './commands.js';
import * as definitions from './definitions.js';
import * as freshVariables from './fresh-variables.js';
import * as literals from './literals.js';
import * as negations from './negations.js';
import * as quantifiers from './quantifiers.js';
import * as relations from './relations.js';
import type { Replacement, Rule, ScriptRule, Simplification, TermRule } from './rule.js';
import * as terms from './terms.js';
import * as variables from './variables.js';

export type { Simplification } from './rule.js';
export { weight } from './weight.js';

/** All simplification rules by user-visible name, largest steps first. To add a rule, add it here. */
export const simplificationRules = {
  'delete-assertions': commands.deleteAssertions,
  'replace-by-child': terms.replaceByChild,
  'replace-by-value': terms.replaceByValue,
  'replace-by-variable': terms.replaceByVariable,
  'delete-arguments': terms.deleteArguments,
  'flatten-arguments': terms.flattenArguments,
  'negate-relation': negations.negateRelation,
  'drop-truth-value': negations.dropTruthValue,
  'inline-let': definitions.inlineLet,
  'delete-bound-variables': quantifiers.deleteBoundVariables,
  'instantiate-quantifier': quantifiers.instantiateQuantifier,
  'delete-declarations': commands.deleteDeclarations,
  'delete-extra-commands': commands.deleteExtraCommands,
  'delete-check-sat': commands.deleteCheckSat,
  'delete-push-pop': commands.deletePushPop,
  'delete-annotations': commands.deleteAnnotations,
  'inline-definition': definitions.inlineDefinition,
  'split-conjunction': relations.splitConjunction,
  'merge-variables': variables.mergeVariables,
  'merge-all-variables': variables.mergeAllVariables,
  'inline-variable': variables.inlineVariable,
  'shorten-literal': literals.shortenLiteral,
  'shorten-literals-together': literals.shortenLiteralsTogether,
  'simplify-operator': terms.simplifyOperator,
  'repeat-without-count': literals.repeatWithoutCount,
  'reduce-repetitions': literals.reduceRepetitions,
  'replace-by-other-variable': terms.replaceByOtherVariable,
  'introduce-variable': freshVariables.introduceVariable,
  'drop-optional-argument': terms.dropOptionalArgument,
  'change-relation': relations.changeRelation,
  'unify-letters': literals.unifyLetters,
  'simplify-logic': commands.simplifyLogic,
  'delete-unused-sorts': commands.deleteUnusedSorts,
  'declare-constants': commands.declareConstants,
  'shorten-names': variables.shortenNames,
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
const coarseRules: readonly SimplificationRule[] = [
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
  rules: readonly SimplificationRule[] = coarseRules,
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
  rules: readonly SimplificationRule[] = coarseRules,
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
