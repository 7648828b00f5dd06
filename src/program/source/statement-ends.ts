import type { Code } from './code.js';
import { isCapital } from './keywords.js';
import { hasStatements } from './operands.js';

/** Where statements end that have no brackets to tell it, and macros that look like none. */

/** Where a statement without a head ends: after its semicolon, or before what must be another statement. */
export function endOf(code: Code, at: number, to: number): number {
  const isType = isTypeAt(code, at);
  const isAssembly = assemblyWords.has(code.text(at));
  let i = at;
  while (i < to) {
    const text = code.text(i);
    if (text === ';') return i + 1;
    if (text === '}') return Math.max(i, at + 1);
    if (i > at && code.isStatementWord(i) && !isAssembly) return i;
    const isBody = text === '{' && !isType && hasStatements(code, i);
    i = code.skip(i);
    if (isBody && (code.isWord(i) || code.is(i, '{'))) return Math.min(i, to);
  }
  return to;
}

export interface MacroStatement {
  readonly end: number;
  /** A block or statement follows that belongs to it. */
  readonly hasBody: boolean;
}

/**
 * A macro that stands for more than its call: `FOR_EACH (x, list) {`, or a statement without a semicolon. Which it
 * is without braces shows in how the next line is indented.
 */
export function macroAt(code: Code, i: number, to: number): MacroStatement | undefined {
  if (!code.isName(i)) return undefined;
  const hasBrackets = code.is(i + 1, '(');
  const end = hasBrackets ? code.past(i + 1) : i + 1;
  if (end >= to) return undefined;
  if (code.is(end, '{')) return hasBrackets || hasStatements(code, end) ? { end, hasBody: true } : undefined;
  if (!code.isWord(end)) return undefined;
  if (code.line(end) > code.endLine(end - 1)) {
    if (!hasBrackets && !isCapital(code.text(i))) return undefined;
    const isDeeper = (code.indentation(end) ?? 0) > (code.indentation(i) ?? Number.POSITIVE_INFINITY);
    if (!hasBrackets && isDeeper) return undefined;
    return { end, hasBody: isDeeper && !followingWords.has(code.text(end)) };
  }
  if (!hasBrackets || followingWords.has(code.text(end))) return undefined;
  const isCall = code.isName(end) && code.is(end + 1, '(') && code.is(code.past(end + 1), ';');
  return isCall || code.isStatementWord(end) ? { end, hasBody: true } : undefined;
}

/** The `:` that ends a `case`, or where it must have ended. */
export function caseColon(code: Code, from: number, to: number): number {
  let choices = 0;
  for (let i = from; i < to; i = code.skip(i)) {
    const text = code.text(i);
    if (text === ';' || text === '{' || text === '}' || code.isStatementWord(i)) return i - 1;
    if (text === '?') choices++;
    else if (text === ':' && choices-- === 0) return i;
  }
  return from - 1;
}

/** Does a statement begin here that defines a type? */
export function isTypeAt(code: Code, at: number): boolean {
  let i = at;
  while (code.is(i, 'static') || code.is(i, 'const') || code.is(i, 'typedef')) i++;
  return tags.has(code.text(i)) && code.isKeyword(i);
}

const assemblyWords = new Set(['asm', '__asm', '__asm__']);

const tags = new Set(['struct', 'union', 'class', 'enum']);

/** They go on with the statement before them. */
const followingWords = new Set(['else', 'catch', 'case', 'default']);
