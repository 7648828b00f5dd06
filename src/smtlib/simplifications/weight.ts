/** The measure that every simplification lowers, so that repeated steps terminate. */

import { stringCodes } from '../literals.js';
import { isConstant } from '../occurrences/literal-terms.js';
import {
  type Command,
  type Constant,
  children,
  commandTerms,
  type Identifier,
  type Script,
  type Term,
} from '../tree.js';
import { operatorDiscount } from './simpler-operators.js';
import { isValue } from './values.js';

/** Counts terms first, then literals, then commands, then spelling. */
export function weight(script: Script): number {
  let total = 0;
  for (const command of script.commands) {
    total += commandWeight(command);
    for (const term of commandTerms(command)) total += termWeight(term);
  }
  return total;
}

/** A variable costs a declaration, so removing one is worth replacing a few values by variables. */
const declarationWeight = 2.5;

/** A definition or `let` hides its value; inlining it may cost this much. */
const definitionWeight = 40;

function commandWeight(command: Command): number {
  switch (command.kind) {
    case 'declare-fun':
      return declarationWeight + 0.001 + nameWeight(command.name);
    case 'declare-const':
      return declarationWeight + nameWeight(command.name);
    case 'define-const':
    case 'define-fun':
    case 'define-fun-rec':
      return definitionWeight + nameWeight(command.name);
    case 'define-funs-rec':
      return command.definitions.length * definitionWeight;
    case 'declare-datatypes':
      return 0.01 * command.datatypes.reduce((sum, datatype) => sum + datatype.constructors.length, 1);
    case 'push':
    case 'pop':
      return 0.01 * command.levels;
    case 'check-sat-assuming':
      return 0.011;
    case 'set-logic':
      return 0.01 + nameWeight(command.logic);
    default:
      return 0.01;
  }
}

/** Decides only between otherwise equal formulas. */
function nameWeight(name: string): number {
  return 1e-6 * name.length;
}

export function termWeight(root: Term): number {
  let total = 0;
  const todo: Term[] = [root];
  for (let term = todo.pop(); term !== undefined; term = todo.pop()) {
    total += nodeWeight(term);
    for (const child of children(term)) todo.push(child);
  }
  return total;
}

/** A variable weighs more than a value, because it leaves the solver a choice. */
const leafWeights = { variable: 1.5, value: 1 } as const;

function nodeWeight(term: Term): number {
  if (isConstant(term)) return leafWeights.value + literalWeight(term);
  if (term.kind === 'name') return isValue(term) ? leafWeights.value : leafWeights.variable;
  if (term.kind === 'apply') return 2 - operatorDiscount(term.fn.symbol) + indexWeight(term.fn);
  if (term.kind === 'let') return 2 + term.bindings.length * definitionWeight;
  return 'variables' in term ? 2 + 0.3 * term.variables.length : 2;
}

/** Counts repetitions only; other indices belong to the sort. */
function indexWeight({ symbol, indices }: Identifier): number {
  if (symbol !== 're.loop' && symbol !== 're.^') return 0;
  return indices.reduce((sum, index) => sum + (index.kind === 'numeral' ? 0.1 * literalWeight(index) : 0), 0);
}

/** Below one half; grows with length and value. */
export function literalWeight({ kind, text }: Constant): number {
  return 0.5 * (1 - 1 / (1 + literalSize(kind, text)));
}

function literalSize(kind: Constant['kind'], text: string): number {
  switch (kind) {
    case 'string': {
      const codes = stringCodes(text);
      const strange = codes.filter((code) => code !== plainLetter).length;
      return 2 * codes.length + strange / (codes.length + 1);
    }
    case 'hexadecimal':
    case 'binary':
      return text.slice('#x'.length).replaceAll('0', '').length;
    default:
      // Grows with the length, then with the value.
      return /^0(\.0)?$/.test(text) ? 0 : /^1(\.0)?$/.test(text) ? 1 : 1 + text.length + fractionOf(text);
  }
}

function fractionOf(text: string): number {
  return Number(`0.${text.replace('.', '').slice(0, 12)}`);
}

export const plainLetter = 'a'.charCodeAt(0);
