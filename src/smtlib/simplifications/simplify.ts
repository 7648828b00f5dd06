/** Smaller formulas one step away: what a search for the smallest formula of a kind tries next. */

import { replaceAt } from '../sites/replace-at.js';
import { type Sites, sitesOf } from '../sites/sites.js';
import type { Placed } from '../sites/spot.js';
import type { Script } from '../tree.js';
import {
  constantsAsSuch,
  fewerLevels,
  fewerQuestions,
  withoutAssertions,
  withoutDecoration,
  withoutNames,
  withoutUnused,
  withoutUnusedSorts,
} from './commands.js';
import { inlineDefinition, inlineLet } from './definitions.js';
import { fewerRepetitions, plainLetters, shorterLiteral } from './literals.js';
import { instantiated, withoutIdleVariables } from './quantifiers.js';
import { otherRelation, splitConjunction } from './relations.js';
import type { Rule, ScriptRule, Simplification, TermRule } from './rule.js';
import { byPart, byValue, byVariable, fewerArguments, plainerOperator } from './terms.js';
import { mergedVariables, oneVariable, shorterNames, writtenOutVariable } from './variables.js';

export type { Simplification } from './rule.js';
export { weight } from './weight.js';

/** Every rule by the name a user calls it, the largest steps first. Adding one means adding its value here. */
export const simplificationRules = {
  'without-assertions': withoutAssertions,
  'by-part': byPart,
  'by-value': byValue,
  'by-variable': byVariable,
  'fewer-arguments': fewerArguments,
  'inline-let': inlineLet,
  'without-idle-variables': withoutIdleVariables,
  instantiated,
  'without-unused': withoutUnused,
  'without-decoration': withoutDecoration,
  'fewer-questions': fewerQuestions,
  'fewer-levels': fewerLevels,
  'without-names': withoutNames,
  'inline-definition': inlineDefinition,
  'split-conjunction': splitConjunction,
  'merged-variables': mergedVariables,
  'one-variable': oneVariable,
  'written-out-variable': writtenOutVariable,
  'shorter-literal': shorterLiteral,
  'plainer-operator': plainerOperator,
  'fewer-repetitions': fewerRepetitions,
  'other-relation': otherRelation,
  'plain-letters': plainLetters,
  'without-unused-sorts': withoutUnusedSorts,
  'constants-as-such': constantsAsSuch,
  'shorter-names': shorterNames,
} as const satisfies Record<string, Rule>;

export type SimplificationRule = keyof typeof simplificationRules;

export const simplificationRuleNames = Object.keys(simplificationRules) as readonly SimplificationRule[];

/** Those that make the most of a formula go; the rest is for formulas that people are to read. */
const coarse: readonly SimplificationRule[] = [
  'without-assertions',
  'by-part',
  'by-value',
  'by-variable',
  'fewer-arguments',
  'without-unused',
  'shorter-literal',
];

/**
 * Every formula one simplification away. All are well-sorted and smaller by `weight`, so that taking one after another
 * comes to an end.
 */
export function simplifications(
  script: Script,
  rules: readonly SimplificationRule[] = coarse,
): readonly Simplification[] {
  const sites = sitesOf(script);
  if (sites === undefined) return [];
  const places = changeablePlaces(sites);
  return passes(rules).flatMap((pass) =>
    pass.kind === 'script'
      ? pass.rule.scripts(sites).map((make) => ({ rule: pass.name, make }))
      : places.flatMap((place) =>
          pass.rules.flatMap(([name, rule]) =>
            rule
              .terms(sites, place)
              .map((term) => ({ rule: name, make: () => replaceAt(script, place, term) })),
          ),
        ),
  );
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

function changeablePlaces(sites: Sites): readonly Placed[] {
  const found: Placed[] = [];
  for (const command of sites.changeable) {
    // Outermost first: the checker passes a term after everything below it.
    for (const spot of sites.commands[command]?.spots.toReversed() ?? []) {
      if (!spot.isPinned) found.push({ command, spot });
    }
  }
  return found;
}
