import { isSimpleSymbol } from './scan.js';

/** Words of the language that cannot be names unless they are quoted. */
const reserved: ReadonlySet<string> = new Set([
  '_',
  '!',
  'as',
  'let',
  'forall',
  'exists',
  'lambda',
  'match',
  'par',
  'BINARY',
  'DECIMAL',
  'HEXADECIMAL',
  'NUMERAL',
  'STRING',
]);

export function isReserved(text: string): boolean {
  return reserved.has(text);
}

/** A symbol as it must be written: in bars unless it is simple and not a word of the language. */
export function quoteSymbol(text: string): string {
  return isSimpleSymbol(text) && !reserved.has(text) ? text : `|${text}|`;
}
