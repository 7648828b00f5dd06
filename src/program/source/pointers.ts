/** Functions whose addresses are used in a file. */

import type { ValueCount } from '../graph/index.js';
import type { Code } from './code.js';
import { valuesIn } from './operands.js';

/** Tokens that may follow a function's name that is not called there. */
const tokensAfterValue = new Set([',', ')', ';', '}', ']', ':', '?', '==', '!=', '&&', '||', '']);

/** Tokens after which a name is no function. */
const nonValuePrefixes = new Set(['.', '->', 'goto', 'struct', 'union', 'enum', 'class', '#']);

/** Names used as values: functions among them may be called through pointers. */
export function takenNames(code: Code): ReadonlySet<string> {
  const names = new Set<string>();
  for (let i = 0; i < code.tokens.length; i++)
    if (code.isName(i) && tokensAfterValue.has(code.text(i + 1)) && !nonValuePrefixes.has(code.text(i - 1)))
      names.add(code.text(i));
  return names;
}

/** Names declared, or called, as `(*name) (…)`. */
export function pointerNames(code: Code): ReadonlySet<string> {
  const names = new Set<string>();
  for (let i = 2; i < code.tokens.length; i++)
    if (
      code.isName(i) &&
      code.is(i - 1, '*') &&
      code.is(i - 2, '(') &&
      code.is(i + 1, ')') &&
      code.is(i + 2, '(')
    )
      names.add(code.text(i));
  return names;
}

export interface Parameters {
  readonly names: readonly string[];
  readonly takes: ValueCount | undefined;
}

export function parametersIn(code: Code, open: number): Parameters {
  const end = code.end(open);
  const names: string[] = [];
  let defaults = 0;
  let isOpen = false;
  for (let i = open + 1; i < end; i = code.skip(i)) {
    const isLast = code.is(i + 1, ',') || code.is(i + 1, '[') || code.is(i + 1, '=') || i + 1 === end;
    if (code.isName(i) && isLast) names.push(code.text(i));
    if (code.is(i, '(') && code.is(i + 1, '*') && code.isName(i + 2)) names.push(code.text(i + 2));
    if (code.is(i, '=')) defaults++;
    if (code.is(i, '...')) isOpen = true;
  }
  const isVoid = code.is(open + 1, 'void') && open + 2 === end;
  // In C, empty parentheses declare nothing about the parameters.
  if (open + 1 === end) return { names, takes: code.isCpp ? { least: 0, most: 0 } : undefined };
  const count = isVoid ? 0 : valuesIn(code, open) - (isOpen ? 1 : 0);
  return { names, takes: { least: count - defaults, most: isOpen ? Number.POSITIVE_INFINITY : count } };
}
