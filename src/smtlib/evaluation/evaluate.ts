/** The value of a term under an assignment to its variables. */

import { stringCodes } from '../literals.js';
import type { Constant, Identifier, Term } from '../tree.js';
import { core } from './core.js';
import { ints } from './ints.js';
import { strings } from './strings.js';
import type { Operation, Value } from './value.js';

export type { Value } from './value.js';

const operations: ReadonlyMap<string, Operation> = new Map(Object.entries({ ...core, ...ints, ...strings }));

/** Limits on text length, bits of a number, and arguments of a term. */
const maxTextLength = 4000;
const maxBits = 500;
const maxArguments = 1000;

const maxDepth = 500;

/**
 * Evaluates a well-sorted term by the standard's theories of Booleans, integers and strings. Undefined for other
 * theories, for cases that the standard leaves open, such as division by zero, and for values beyond the limits
 * above.
 *
 * ```ts
 * evaluate(parseTerm('(str.len (str.++ x "b"))'), new Map([['x', 'aa']])); // 3n
 * ```
 */
export function evaluate(term: Term, values: ReadonlyMap<string, Value>, depth = 0): Value | undefined {
  switch (term.kind) {
    case 'numeral':
    case 'string':
      return withinLimits(constantValue(term));
    case 'name':
      return withinLimits(values.get(term.id.symbol) ?? applyOperator(term.id, []));
    case 'apply': {
      if (depth >= maxDepth || term.args.length > maxArguments) return undefined;
      const args: Value[] = [];
      for (const arg of term.args) {
        const value = evaluate(arg, values, depth + 1);
        if (value === undefined) return undefined;
        args.push(value);
      }
      return withinLimits(applyOperator(term.fn, args));
    }
    default:
      return undefined;
  }
}

function applyOperator({ symbol, indices }: Identifier, args: readonly Value[]): Value | undefined {
  const numbers = indices.map((index) => (index.kind === 'numeral' ? Number(index.text) : Number.NaN));
  return operations.get(symbol)?.(args, numbers);
}

function constantValue({ kind, text }: Constant): Value | undefined {
  if (kind === 'numeral') return BigInt(text);
  if (!text.includes('\\')) return text;
  const codes = stringCodes(text);
  // Such a character has two code units and would count twice.
  return codes.some((code) => code > 0xffff)
    ? undefined
    : codes.map((code) => String.fromCharCode(code)).join('');
}

function withinLimits(value: Value | undefined): Value | undefined {
  if (typeof value === 'string' && value.length > maxTextLength) return undefined;
  return typeof value === 'bigint' && (value > maxInteger || value < -maxInteger) ? undefined : value;
}

const maxInteger = 1n << BigInt(maxBits);
