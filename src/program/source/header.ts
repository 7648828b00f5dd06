import type { Code } from './code.js';
import { isBracketedWord, isCapital, isTypeWord } from './keywords.js';

/** A function's name and parameters, as found in the tokens before its body. */

export interface Header {
  /** Qualified as written, without template arguments. */
  readonly name: string;
  readonly at: number;
  readonly parameters: number;
  readonly initialisers: number | undefined;
}

/** Tokens that may follow the parameters of a function and nothing else in a header. */
const endings = new Set([
  ...[':', '->', 'try', 'const', 'volatile', 'noexcept', 'override', 'final', 'throw', '&', '&&', 'requires'],
  ...['__attribute__', '__attribute', 'asm', '__asm', '__asm__', '[', '=', ';', '{'],
]);

interface Candidate {
  readonly name: string;
  readonly at: number;
  readonly parameters: number;
  /** Only storage classes stand before it: a constructor, a macro, or C with an implicit `int`. */
  readonly isBare: boolean;
}

/** The header in `[from, to)`, before a body or the end of a declaration. `className` is the enclosing class. */
export function headerIn(code: Code, from: number, to: number, className: string): Header | undefined {
  let fallback: Candidate | undefined;
  let hasType = false;
  let i = from;
  while (i < to) {
    const text = code.text(i);
    if (text === '=' || text === ':') break;
    const candidate = candidateAt(code, i, from, to, !hasType);
    if (candidate !== undefined) {
      const after = code.past(candidate.parameters);
      const next = code.text(after);
      if (after >= to || endings.has(next)) return headerOf(code, candidate, after, to, className);
      if (next === '(') {
        const second = { ...candidate, parameters: after };
        return headerOf(code, second, code.past(after), to, className);
      }
      if (code.isWord(after)) {
        const isCertain = candidate.name.includes('::') || candidate.name === className;
        if (isCertain || !(candidate.isBare || isCapital(candidate.name))) {
          return headerOf(code, candidate, after, to, className);
        }
        fallback = candidate;
      }
      hasType = true;
      i = after;
      continue;
    }
    if (code.isName(i) || isTypeWord(text) || text === 'struct' || text === 'union' || text === 'enum') {
      hasType = true;
    }
    i = next(code, i, to);
  }
  return fallback === undefined
    ? undefined
    : headerOf(code, fallback, code.past(fallback.parameters), to, className);
}

/** Index after tokens that cannot contain the function's name: brackets, template arguments, attributes. */
function next(code: Code, i: number, to: number): number {
  const text = code.text(i);
  if (text === 'template' || code.isName(i)) return code.pastAngles(i + 1, to) ?? i + 1;
  // `struct ALIGNED (8) point` names no function.
  const isAttribute =
    isBracketedWord(text) ||
    ((text === 'struct' || text === 'class' || text === 'union') && code.isName(i + 1));
  if (isAttribute && code.isKeyword(i)) {
    if (code.is(i + 1, '(')) return code.past(i + 1);
    if (code.is(i + 2, '(')) return code.past(i + 2);
  }
  return code.skip(i);
}

function candidateAt(
  code: Code,
  i: number,
  from: number,
  to: number,
  isBare: boolean,
): Candidate | undefined {
  const text = code.text(i);
  if (text === 'operator' && code.isCpp) return operatorAt(code, i, from, to);
  if (text === '(') return parenthesizedAt(code, i, to);
  if (!code.isName(i)) return undefined;
  let open = i + 1;
  if (!code.is(open, '(')) open = code.pastAngles(open, to) ?? open;
  if (!code.is(open, '(') || open >= to || parenthesizedAt(code, open, to) !== undefined) return undefined;
  // `int f PARAMS ((int x))`: an old macro that hides parameters from compilers without prototypes.
  const isHidden = code.is(open + 1, '(') && code.past(open + 1) === code.end(open) && code.isName(i - 1);
  const { name, at } = qualified(code, isHidden && i - 1 >= from ? i - 1 : i, from);
  return { name, at, parameters: open, isBare };
}

/** `(*f (int x)) (int)`, which returns a pointer to a function, and `(f) (int x)`, which prevents macro expansion. */
function parenthesizedAt(code: Code, open: number, to: number): Candidate | undefined {
  const end = code.end(open);
  if (!code.is(code.past(open), '(') || code.past(open) >= to) return undefined;
  let i = open + 1;
  while (code.is(i, '*') || code.is(i, '&')) i++;
  if (!code.isName(i)) return undefined;
  const isPlain = i === open + 1;
  while (code.is(i + 1, '::') && code.isName(i + 2)) i += 2;
  const { name, at } = qualified(code, i, open + 1);
  const isFunction = isPlain ? i + 1 === end : code.is(i + 1, '(') && code.past(i + 1) === end;
  return isFunction ? { name, at, parameters: code.past(open), isBare: false } : undefined;
}

function operatorAt(code: Code, i: number, from: number, to: number): Candidate | undefined {
  let open = i + 1;
  let symbol = '';
  if (code.is(open, '(') && code.is(open + 1, ')')) {
    symbol = '()';
    open += 2;
  }
  for (const limit = Math.min(to, i + 24); open < limit && !code.is(open, '('); open++) {
    const isSpaced = code.isWord(open) && (symbol === '' || /\w$/.test(symbol));
    symbol += isSpaced ? ` ${code.text(open)}` : code.text(open);
  }
  if (!code.is(open, '(') || open >= to) return undefined;
  const { name, at } = qualified(code, i, from);
  return { name: `${name}${symbol}`, at, parameters: open, isBare: false };
}

/** The name that ends here with its qualifiers: `A<T>::B::~B` is `A::B::~B`. */
function qualified(code: Code, i: number, from: number): { name: string; at: number } {
  let at = i;
  let name = code.text(i);
  if (at > from && code.is(at - 1, '~')) {
    at--;
    name = `~${name}`;
  }
  while (at > from && code.is(at - 1, '::')) {
    const before = at - 2;
    const open = code.is(before, '>') ? code.anglesBefore(before, from) : undefined;
    const owner = open === undefined ? before : open - 1;
    if (owner < from || !code.isName(owner)) return { name, at };
    name = `${code.text(owner)}::${name}`;
    at = owner;
  }
  return { name, at };
}

function headerOf(code: Code, candidate: Candidate, after: number, to: number, className: string): Header {
  const { name, at, parameters, isBare } = candidate;
  return {
    name:
      isBare && name !== className && isCapital(name) && code.is(at + 1, '(')
        ? macroName(code, name, at + 1)
        : name,
    at,
    parameters,
    initialisers: initialisersFrom(code, after, to),
  };
}

function initialisersFrom(code: Code, after: number, to: number): number | undefined {
  if (!code.isCpp) return undefined;
  for (let i = after; i < to; i = code.skip(i)) if (code.is(i, ':')) return i;
  return undefined;
}

/** `TEST (Parser, Empty)` defines a function, and a file has many of them: the arguments tell them apart. */
function macroName(code: Code, name: string, open: number): string {
  const end = code.end(open);
  const names: string[] = [];
  let isPlain = end - open <= 8;
  for (let i = open + 1; i < end; i = code.skip(i)) {
    const isAlone = (i === open + 1 || code.is(i - 1, ',')) && (i + 1 === end || code.is(i + 1, ','));
    if (isAlone && code.isName(i)) names.push(code.text(i));
    else if (!code.is(i, ',')) isPlain = false;
  }
  if (names.length === 0) return name;
  return `${name}(${isPlain ? names.join(', ') : names[0]})`;
}

/** The header of a K&R definition: `f (a, b)`, followed by the declarations of its parameters. */
export interface KnrHeader extends Header {
  readonly names: ReadonlySet<string>;
}

/** The K&R header in `[from, to)`, which ends before the semicolon of a parameter's declaration. */
export function knrHeaderIn(code: Code, from: number, to: number): KnrHeader | undefined {
  for (let i = from; i < to; i = code.skip(i)) {
    if (!code.isName(i) || !code.is(i + 1, '(')) continue;
    const names = knrParameters(code, i + 1);
    const after = code.past(i + 1);
    if (names === undefined || !code.isWord(after) || isBracketedWord(code.text(after))) continue;
    if (mentions(code, after, to, names)) {
      return { name: code.text(i), at: i, parameters: i + 1, initialisers: undefined, names };
    }
  }
  return undefined;
}

export function mentions(code: Code, from: number, to: number, names: ReadonlySet<string>): boolean {
  for (let i = from; i < to; i++) if (code.isName(i) && names.has(code.text(i))) return true;
  return false;
}

function knrParameters(code: Code, open: number): Set<string> | undefined {
  const end = code.end(open);
  const names = new Set<string>();
  let i = open + 1;
  while (i < end) {
    if (!code.isName(i)) return undefined;
    names.add(code.text(i));
    i++;
    // `len LOCALE_PARAM`: a macro may hold further parameters.
    while (i < end && code.isName(i) && isCapital(code.text(i))) i++;
    if (i < end && !code.is(i, ',')) return undefined;
    i++;
  }
  return names.size > 0 ? names : undefined;
}
