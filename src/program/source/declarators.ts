import type { Code } from './code.js';
import { isSpecifier, isTypeWord } from './keywords.js';

/**
 * Recognizes declarations. Types are unknown without headers, so the shape decides: two names side by side, a star
 * whose product would be unused.
 */

export interface Declarator {
  /** Its tokens are `[from, to)`; the first declarator includes the type. */
  readonly from: number;
  readonly to: number;
  readonly ownFrom: number;
  /** Index of the name; undefined if there is none or several. */
  readonly name: number | undefined;
  /** Index after the declared name, where an initialiser would begin. */
  readonly value: number;
  /** It has an initialiser, so something is executed. */
  readonly isSet: boolean;
}

export interface LocalDeclaration {
  readonly declarators: readonly Declarator[];
  readonly typeEnd: number;
  /** `static`, `extern`, `typedef`: initialised before the function runs. */
  readonly isStatic: boolean;
}

/** The declaration in `[from, to)`, without the semicolon; in a condition it must have an initialiser. */
export function declarationIn(
  code: Code,
  from: number,
  to: number,
  isCondition: boolean,
): LocalDeclaration | undefined {
  const type = typeAt(code, from, to);
  if (type === undefined) return undefined;
  let at = type.end;
  let hasReference = false;
  for (; at < to && (isPointer(code.text(at)) || isSpecifier(code.text(at))); at++) {
    hasReference ||= code.is(at, '&') || code.is(at, '&&');
  }
  const name = declaredName(code, at, to, type.isSure);
  if (name === undefined) {
    return type.isSure && !isCondition
      ? { declarators: [], typeEnd: type.end, isStatic: type.isStatic }
      : undefined;
  }
  const next = name + 1 < to ? code.text(name + 1) : '';
  const hasInitialiser = next === '=' || (code.isCpp && (next === '{' || next === ':'));
  // `a & b` and `a * b` in a condition compute; `T &r = x` and `T *p = x` declare.
  const isCandidate = isCondition || (hasReference && !type.isSure) ? hasInitialiser : true;
  const isPlain = code.is(at, '(') || next === '' || tokensAfterName.has(next) || code.isWord(name + 1);
  if (!isCandidate || !(type.isSure || hasInitialiser || isPlain)) return undefined;
  return { declarators: split(code, from, type.end, at, to), typeEnd: type.end, isStatic: type.isStatic };
}

const tokensAfterName = new Set([';', '=', ',', '[', '(', '{']);
const isPointer = (text: string): boolean => text === '*' || text === '&' || text === '&&';
const staticWords = new Set(['static', 'extern', 'typedef']);
const tagWords = new Set(['struct', 'union', 'enum', 'class']);
const typeBrackets = new Set([
  ...['typeof', '__typeof', '__typeof__', 'typeof_unqual', 'decltype', 'alignas', '_Alignas', '_Atomic'],
  ...['__attribute__', '__attribute', '__declspec'],
]);

interface TypeName {
  readonly end: number;
  /** A keyword proves that it is a type. */
  readonly isSure: boolean;
  readonly isStatic: boolean;
}

function typeAt(code: Code, from: number, to: number): TypeName | undefined {
  let isSure = false;
  let isStatic = false;
  let hasType = false;
  let i = from;
  while (i < to) {
    const text = code.text(i);
    if (code.isName(i)) {
      const end = pastTypeName(code, i, to);
      // `register i = 0` omits `int`; `int x` already has its type; `MACRO int x` and `MACRO T x` have more.
      const isDeclarator = hasType || (isSure && end < to && /^[=;,[]$/.test(code.text(end)));
      const isMacro = hasType && code.isName(end) && end === i + 1;
      if (isDeclarator && !isMacro) break;
      if (isSure && end >= to) break;
      hasType = true;
      i = end;
    } else if (code.is(i, '[') && code.is(i + 1, '[')) {
      i = code.past(i);
    } else if (!code.isKeyword(i)) {
      break;
    } else if (isTypeWord(text) || isSpecifier(text)) {
      isSure = true;
      hasType ||= isTypeWord(text) || text === 'auto';
      isStatic ||= staticWords.has(text);
      i++;
    } else if (tagWords.has(text)) {
      isSure = true;
      hasType = true;
      i = pastTag(code, i + 1, to);
    } else if (typeBrackets.has(text) && code.is(i + 1, '(')) {
      isSure = true;
      hasType ||= text.includes('type');
      i = code.past(i + 1);
    } else {
      break;
    }
  }
  return i > from && (isSure || hasType) ? { end: i, isSure, isStatic } : undefined;
}

/** `ns::name<args>::name`. */
function pastTypeName(code: Code, at: number, to: number): number {
  let i = at + 1;
  for (;;) {
    if (code.isCpp) i = code.pastAngles(i, to) ?? i;
    if (!code.is(i, '::') || !code.isName(i + 1) || i + 1 >= to) return i;
    i += 2;
  }
}

/** After `struct`: attributes, a name, members. */
function pastTag(code: Code, at: number, to: number): number {
  let i = at;
  if (code.is(i, 'class') || code.is(i, 'struct')) i++;
  while (typeBrackets.has(code.text(i)) && code.is(i + 1, '(')) i = code.past(i + 1);
  if (code.isName(i)) i = pastTypeName(code, i, to);
  if (code.is(i, ':')) while (i < to && !code.is(i, '{')) i = code.skip(i);
  return code.is(i, '{') && i < to ? code.past(i) : i;
}

function declaredName(code: Code, at: number, to: number, isSure: boolean): number | undefined {
  if (code.isName(at) && at < to) return at;
  // `auto [a, b] = pair;`
  if (code.is(at, '[') && isSure && code.isCpp) return code.past(at) - 1;
  if (!code.is(at, '(') || at >= to) return undefined;
  // `int (*f) (void)` declares; `f (*p)` is a call.
  const isFunction = code.is(at + 1, '*') && code.isName(at + 2) && code.is(code.past(at), '(');
  return isSure || isFunction ? code.past(at) - 1 : undefined;
}

function split(code: Code, from: number, typeEnd: number, first: number, to: number): Declarator[] {
  const declarators: Declarator[] = [];
  let start = from;
  let ownFrom = typeEnd;
  let name = first;
  for (let i = first; ; i = past(code, i, to)) {
    if (i < to && !code.is(i, ',')) continue;
    const end = Math.min(i, to);
    if (end > start) declarators.push({ ...declaratorIn(code, start, name, end), ownFrom });
    if (i >= to) return declarators;
    start = i + 1;
    ownFrom = i + 1;
    name = i + 1;
  }
}

/** Commas between template arguments separate no declarators. */
function past(code: Code, i: number, to: number): number {
  if (code.isCpp && code.isName(i) && code.is(i + 1, '<')) return code.pastAngles(i + 1, to) ?? i + 1;
  return code.skip(i);
}

function declaratorIn(code: Code, from: number, first: number, to: number): Omit<Declarator, 'ownFrom'> {
  let value = first;
  while (value < to && (isPointer(code.text(value)) || isSpecifier(code.text(value)))) value++;
  const name = nameIn(code, value, to);
  value = value < to ? code.skip(value) : value;
  const common = { from, to, name };
  const isCall = code.is(value, '(') && value < to;
  if (isCall && !isParameters(code, value)) return { ...common, value, isSet: code.end(value) > value + 1 };
  if (code.isCpp && code.is(value, '{') && value < to) return { ...common, value, isSet: true };
  for (let i = value; i < to; i = code.skip(i)) {
    if (code.is(i, '=')) return { ...common, value: i, isSet: true };
  }
  return { ...common, value, isSet: false };
}

/** The name itself, or the first one in parentheses: `(*f)`. */
function nameIn(code: Code, at: number, to: number): number | undefined {
  if (code.is(at, '(')) {
    for (let i = at + 1; i < Math.min(code.end(at), to); i++) if (code.isName(i)) return i;
    return undefined;
  }
  return at < to && code.isName(at) ? at : undefined;
}

/** Do these parentheses hold parameters rather than values? */
function isParameters(code: Code, open: number): boolean {
  const end = code.end(open);
  const first = open + 1;
  if (first >= end) return true;
  if (code.isKeyword(first)) {
    const text = code.text(first);
    return isTypeWord(text) || isSpecifier(text) || tagWords.has(text);
  }
  if (!code.isName(first)) return code.is(first, '...');
  const after = pastTypeName(code, first, end);
  if (code.isName(after)) return true;
  return isPointer(code.text(after)) && (after + 1 >= end || !/[^,*&)]/.test(code.text(after + 1)));
}
