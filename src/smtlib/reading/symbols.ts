import { isSimpleSymbol } from './scan.js';

/** Keywords, which need bars when used as names. */
const reserved: ReadonlySet<string> = new Set([
  ...['_', '!', 'as', 'let', 'forall', 'exists', 'lambda', 'match', 'par'],
  ...['BINARY', 'DECIMAL', 'HEXADECIMAL', 'NUMERAL', 'STRING'],
]);

export function isReserved(text: string): boolean {
  return reserved.has(text);
}

/** A symbol as written: in bars unless it is simple and no keyword. */
export function quoteSymbol(text: string): string {
  return isSimpleSymbol(text) && !reserved.has(text) ? text : `|${text}|`;
}
