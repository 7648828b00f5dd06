import type { Code } from './code.js';
import type { Expression } from './expression.js';
import { isCapital } from './keywords.js';

export const isNegation = (code: Code, i: number): boolean =>
  code.is(i, '!') || (code.isCpp && code.is(i, 'not'));

export const isPointerCast = (code: Code, i: number): boolean => code.is(i, ')') && code.is(i - 1, '*');

const valueWords = new Set(['this', 'true', 'false', 'nullptr']);

/** May a value end with this token? The next token is then an operator or a subscript. */
export function isOperandEnd(code: Code, i: number): boolean {
  if (code.isWord(i)) return code.isName(i) || valueWords.has(code.text(i));
  return code.kind(i) !== 'punctuation' || code.is(i, ')') || code.is(i, ']');
}

const constantPunctuation = new Set(['-', '+', '~', '(', ')']);

/** Numbers, strings and names in capitals, which usually are constants. */
export function isConstant(code: Code, expression: Expression | undefined): boolean {
  if (expression?.kind !== 'run' || expression.from === expression.to) return false;
  for (let i = expression.from; i < expression.to; i++) {
    const text = code.text(i);
    const isConstantToken =
      code.kind(i) === 'punctuation'
        ? constantPunctuation.has(text) && !(text === '(' && code.isName(i - 1))
        : !code.isWord(i) || (valueWords.has(text) && text !== 'this') || (code.isName(i) && isCapital(text));
    if (!isConstantToken) return false;
  }
  return true;
}

const spelled = new Set(['and', 'or', 'not', 'bitand', 'bitor', 'xor', 'compl', 'and_eq', 'or_eq', 'not_eq']);

/**
 * Index of the name that is called by these parentheses, searched back to `start`. For a call through a pointer
 * without a name, such as `(*p) (x)` and `table[i] (x)`, the index of the bracket before the parentheses.
 */
export function calleeBefore(code: Code, open: number, start: number): number | undefined {
  let at = open - 1;
  if (at >= start && (code.is(at, ')') || code.is(at, ']')))
    return isPointer(code, at, start) ? at : undefined;
  if (code.isCpp && code.is(at, '>')) at = (code.anglesBefore(at, start) ?? start) - 1;
  if (at < start || !code.isName(at) || (code.isCpp && spelled.has(code.text(at)))) return undefined;
  // Of two names side by side the second is declared.
  const isDeclared = at - 1 >= start && code.isName(at - 1) && !spelled.has(code.text(at - 1));
  return isDeclared ? undefined : at;
}

/** Expressions that yield a function are short. */
const longestPointer = 64;

/** Do the brackets that close here hold `*p`, or the index of a table? Excludes casts and declared pointers. */
function isPointer(code: Code, close: number, start: number): boolean {
  const opening = code.is(close, ')') ? '(' : '[';
  const limit = Math.max(start, close - longestPointer);
  let open = close - 1;
  while (open >= limit && !(code.is(open, opening) && code.end(open) === close)) open--;
  if (open < limit) return false;
  const hasValueBefore = open > start && isOperandEnd(code, open - 1);
  if (opening === '[') return hasValueBefore;
  const isTypeBefore = open > start && code.isWord(open - 1) && !code.isStatementWord(open - 1);
  return code.is(open + 1, '*') && !code.is(open + 2, ')') && !hasValueBefore && !isTypeBefore;
}

export function valuesIn(code: Code, open: number): number {
  const end = code.end(open);
  if (open + 1 >= end) return 0;
  let count = 1;
  for (let i = open + 1; i < end; ) {
    if (code.is(i, ',')) count++;
    i = code.isCpp && code.is(i, '<') ? (code.pastAngles(i, end) ?? i + 1) : code.skip(i);
  }
  return count;
}

export function hasStatements(code: Code, open: number): boolean {
  const end = code.end(open);
  for (let i = open + 1; i < end; i = code.skip(i)) if (code.is(i, ';')) return true;
  return false;
}

const lambdaPunctuation = new Set(['::', '->', '*', '&', '&&']);

/** Index of the brace before the body of a lambda; undefined if this `[` begins none. */
export function lambdaBody(code: Code, at: number, start: number, to: number): number | undefined {
  if (!code.isCpp || (at > start && isOperandEnd(code, at - 1))) return undefined;
  let i = code.past(at);
  i = code.pastAngles(i, to) ?? i;
  for (const limit = Math.min(to, i + 64); i < limit; ) {
    if (code.is(i, '{')) return i;
    const isAngle = code.is(i, '<');
    if (!isAngle && !code.isWord(i) && !lambdaPunctuation.has(code.text(i)) && !code.opens(i))
      return undefined;
    i = isAngle ? (code.pastAngles(i, to) ?? limit) : code.skip(i);
  }
  return undefined;
}
