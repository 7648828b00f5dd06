/** Mutations: small changes of a formula. Each leaves it well-sorted and with a `check-sat`. */

import type { Random } from '../../machine/index.js';
import type { Command, Script } from '../tree.js';
import { addAssertion } from './add-assertion.js';
import { changeOperator } from './change-operator.js';
import { crossover as exchange } from './crossover.js';
import { deleteAssertion } from './delete-assertion.js';
import { deleteVariable } from './delete-variable.js';
import { fuzzLiteral } from './fuzz-literal.js';
import { newVariable } from './new-variable.js';
import { replaceOperator } from './replace-operator.js';
import { replaceByLiteral, replaceByVariable, replaceSubterm } from './replace-subterm.js';
import type { MutationOptions, Rule } from './rule.js';
import { swapSubterms } from './swap-subterms.js';

export { operatorsFor, replaceOperatorBy } from './change-operator.js';
export type { MutationOptions, Rule } from './rule.js';

/** All mutation rules by user-visible name. To add a rule, add it here. */
export const rules = {
  'replace-operator': withCheckSatAfter(replaceOperator),
  'change-operator': withCheckSatAfter(changeOperator),
  'replace-subterm': withCheckSatAfter(replaceSubterm),
  'replace-by-variable': withCheckSatAfter(replaceByVariable),
  'replace-by-literal': withCheckSatAfter(replaceByLiteral),
  'swap-subterms': withCheckSatAfter(swapSubterms),
  'new-variable': withCheckSatAfter(newVariable),
  'delete-variable': withCheckSatAfter(deleteVariable),
  'add-assertion': withCheckSatAfter(addAssertion),
  'delete-assertion': withCheckSatAfter(deleteAssertion),
  'fuzz-literal': withCheckSatAfter(fuzzLiteral),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

export const ruleNames: readonly RuleName[] = Object.keys(rules) as RuleName[];

const checkSat: Command = { kind: 'check-sat' };

function withCheckSat(script: Script): Script {
  const asks = script.commands.some(
    (command) => command.kind === 'check-sat' || command.kind === 'check-sat-assuming',
  );
  return asks ? script : { commands: [...script.commands, checkSat] };
}

function withCheckSatAfter(rule: Rule): Rule {
  return {
    summary: rule.summary,
    apply(script, random, options) {
      const changed = rule.apply(script, random, options);
      return changed === undefined ? undefined : withCheckSat(changed);
    },
  };
}

export interface Mutation {
  readonly script: Script;
  readonly rule: RuleName;
}

/**
 * Applies one rule, chosen at random among the applicable ones. Undefined if none applies, e.g. to a formula that is
 * not well-sorted.
 *
 * ```ts
 * const changed = mutate(script, random);
 * ```
 * @param among the rules to choose from
 */
export function mutate(
  script: Script,
  random: Random,
  options: MutationOptions = {},
  among: readonly RuleName[] = ruleNames,
): Mutation | undefined {
  const left = [...among];
  while (left.length > 0) {
    const [rule] = left.splice(random.below(left.length), 1);
    if (rule === undefined) break;
    const changed = rules[rule].apply(script, random, options);
    if (changed !== undefined) return { script: changed, rule };
  }
  return undefined;
}

/** See `mutations/crossover.ts`. */
export function crossover(
  first: Script,
  second: Script,
  random: Random,
): readonly [Script, Script] | undefined {
  const children = exchange(first, second, random);
  return children === undefined ? undefined : [withCheckSat(children[0]), withCheckSat(children[1])];
}
