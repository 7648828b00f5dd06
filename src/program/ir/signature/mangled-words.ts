/** The words of the Itanium C++ ABI that stand for themselves: operators, types that are built in, parts of the library. */

import { lookUp } from '../../../machine/index.js';

export const operators: Readonly<Record<string, string>> = {
  nw: ' new',
  na: ' new[]',
  dl: ' delete',
  da: ' delete[]',
  aw: ' co_await',
  ps: '+',
  ng: '-',
  ad: '&',
  de: '*',
  co: '~',
  pl: '+',
  mi: '-',
  ml: '*',
  dv: '/',
  rm: '%',
  an: '&',
  or: '|',
  eo: '^',
  aS: '=',
  pL: '+=',
  mI: '-=',
  mL: '*=',
  dV: '/=',
  rM: '%=',
  aN: '&=',
  oR: '|=',
  eO: '^=',
  ls: '<<',
  rs: '>>',
  lS: '<<=',
  rS: '>>=',
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  ss: '<=>',
  nt: '!',
  aa: '&&',
  oo: '||',
  pp: '++',
  mm: '--',
  cm: ',',
  pm: '->*',
  pt: '->',
  cl: '()',
  ix: '[]',
  qu: '?',
};

export const builtinTypes: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
  z: '...',
  Di: 'char32_t',
  Ds: 'char16_t',
  Du: 'char8_t',
  Da: 'auto',
  Dc: 'decltype(auto)',
  Dn: 'decltype(nullptr)',
};

/** How a literal of such a type ends; those of other types have the type in front. */
const literalEndings: Readonly<Record<string, string>> = {
  int: '',
  'unsigned int': 'u',
  long: 'l',
  'unsigned long': 'ul',
  'long long': 'll',
  'unsigned long long': 'ull',
};

/** A value of a type, as an argument of a template. */
export function literalText(type: string, minus: string, value: string): string {
  if (type === 'bool' && /^[01]$/.test(value)) return value === '1' ? 'true' : 'false';
  if (type === 'decltype(nullptr)') return `(${type})${value}`;
  const number = `${minus === '' ? '' : '-'}${value}`;
  const ending = lookUp(literalEndings, type);
  return ending === undefined ? `(${type})${number}` : `${number}${ending}`;
}

/** What is behind `S`, and the name that its constructors have. */
export const library: Readonly<Record<string, readonly [name: string, last: string]>> = {
  t: ['std', 'std'],
  a: ['std::allocator', 'allocator'],
  b: ['std::basic_string', 'basic_string'],
  s: ['std::string', 'basic_string'],
  i: ['std::istream', 'basic_istream'],
  o: ['std::ostream', 'basic_ostream'],
  d: ['std::iostream', 'basic_iostream'],
};

export const qualifierWords: Readonly<Record<string, string>> = {
  r: ' restrict',
  V: ' volatile',
  K: ' const',
};

/** What a symbol is that is no function: a table that a compiler made. */
export const tables: Readonly<Record<string, string>> = {
  TV: 'vtable for ',
  TT: 'VTT for ',
  TI: 'typeinfo for ',
  TS: 'typeinfo name for ',
};
