/** Is a formula true under a model? By culprit's own evaluation: no solver is asked. */

import { operatorsByName } from '../theories/index.js';
import type { Command, Script, Sort, Term } from '../tree.js';
import { evaluate, type Value } from './evaluate.js';

/** What a model may leave out it does not need: any value will do. */
const anyValue: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['Bool', false],
  ['Int', 0n],
  ['String', ''],
]);

/** Commands that say nothing about what is asserted. */
const silent: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-logic',
  'set-info',
  'set-option',
  'check-sat',
]);

/**
 * True if every assertion is true under the values that the model gives its constants, false if one is false.
 * Undefined where that is not known: for other theories than those `evaluate` knows, for functions, quantifiers, levels
 * and several questions.
 *
 * ```ts
 * const formula = parseScript('(declare-const x Int) (assert (> x 2)) (check-sat)');
 * isTrueUnder(formula, parseScript('(define-fun x () Int 1)')); // false
 * ```
 * @param model the definitions a solver gave
 */
export function isTrueUnder(formula: Script, model: Script): boolean | undefined {
  const sorts = new Map<string, Sort>();
  const assertions: Term[] = [];
  let questions = 0;
  for (const command of formula.commands) {
    if (command.kind === 'check-sat') questions++;
    if (command.kind === 'assert') {
      if (questions > 0) return undefined;
      assertions.push(command.term);
    } else if (
      command.kind === 'declare-const' ||
      (command.kind === 'declare-fun' && command.parameters.length === 0)
    ) {
      // What has a theory's name would be taken for the theory's.
      if (operatorsByName.has(command.name)) return undefined;
      sorts.set(command.name, command.result);
    } else if (!silent.has(command.kind)) return undefined;
  }
  if (questions !== 1) return undefined;
  const values = valuesIn(model, sorts);
  if (values === undefined) return undefined;
  let isKnown = true;
  for (const assertion of assertions) {
    const value = evaluate(assertion, values);
    if (value === false) return false;
    isKnown &&= value === true;
  }
  return isKnown ? true : undefined;
}

/** A value for each constant; undefined if the model holds something else than values. */
function valuesIn(
  { commands }: Script,
  sorts: ReadonlyMap<string, Sort>,
): ReadonlyMap<string, Value> | undefined {
  const values = new Map<string, Value>();
  for (const [name, { symbol }] of sorts) {
    const value = anyValue.get(symbol);
    if (value !== undefined) values.set(name, value);
  }
  for (const command of commands) {
    if (command.kind !== 'define-fun') {
      if (command.kind === 'comment') continue;
      return undefined;
    }
    // Functions a solver made up for itself are no part of the formula.
    if (!sorts.has(command.name)) continue;
    const value = command.parameters.length === 0 ? evaluate(command.body, new Map()) : undefined;
    if (value === undefined) values.delete(command.name);
    else values.set(command.name, value);
  }
  return values;
}
