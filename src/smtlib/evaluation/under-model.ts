import { operatorsByName } from '../theories/index.js';
import type { Command, Script, Sort, Term } from '../tree.js';
import { evaluate, type Value } from './evaluate.js';

/** Values for constants that a model omits: any value is correct for them. */
const defaultValues: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['Bool', false],
  ['Int', 0n],
  ['String', ''],
]);

/** Commands without effect on the assertions. */
const neutralCommands: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-logic',
  'set-info',
  'set-option',
  'check-sat',
]);

/**
 * Evaluates a formula under a model without a solver: true if every assertion is true, false if one is false.
 * Undefined for theories that `evaluate` does not cover, functions, quantifiers, push levels, and several
 * `check-sat`.
 *
 * ```ts
 * const formula = parseScript('(declare-const x Int) (assert (> x 2)) (check-sat)');
 * isTrueUnder(formula, parseScript('(define-fun x () Int 1)')); // false
 * ```
 * @param model the definitions from the solver
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
      // `evaluate` would take the name for the theory's operator.
      if (operatorsByName.has(command.name)) return undefined;
      sorts.set(command.name, command.result);
    } else if (!neutralCommands.has(command.kind)) return undefined;
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

/** A value for each constant; undefined if the model has commands other than definitions. */
function valuesIn(
  { commands }: Script,
  sorts: ReadonlyMap<string, Sort>,
): ReadonlyMap<string, Value> | undefined {
  const values = new Map<string, Value>();
  for (const [name, { symbol }] of sorts) {
    const value = defaultValues.get(symbol);
    if (value !== undefined) values.set(name, value);
  }
  for (const command of commands) {
    if (command.kind !== 'define-fun') {
      if (command.kind === 'comment') continue;
      return undefined;
    }
    // Auxiliary functions that the solver introduced are not part of the formula.
    if (!sorts.has(command.name)) continue;
    const value = command.parameters.length === 0 ? evaluate(command.body, new Map()) : undefined;
    if (value === undefined) values.delete(command.name);
    else values.set(command.name, value);
  }
  return values;
}
