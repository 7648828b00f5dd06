import type { Code } from '../code.js';
import { isCapital } from '../keywords.js';
import { hasStatements } from '../operands.js';

/** Ends of statements that no bracket marks, and macros that stand for statements. */

/** The end of a simple statement: after its semicolon, or before a token that must begin another statement. */
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
  readonly hasBody: boolean;
}

/**
 * A macro that stands for more than a call: `FOR_EACH (x, list) {`, or a statement without a semicolon. Without
 * braces the indentation of the next line decides.
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

/** The `:` that ends a `case`, or the last token before it must have ended. */
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

export function isTypeAt(code: Code, at: number): boolean {
  let i = at;
  while (code.is(i, 'static') || code.is(i, 'const') || code.is(i, 'typedef')) i++;
  return tags.has(code.text(i)) && code.isKeyword(i);
}

const assemblyWords = new Set(['asm', '__asm', '__asm__']);

const tags = new Set(['struct', 'union', 'class', 'enum']);

const followingWords = new Set(['else', 'catch', 'case', 'default']);
