import { SymbolReader } from './symbol-reader.js';
import { NotRead } from './symbol-text.js';

/**
 * A function of C++ as it is declared, with its parameters: `_ZN3Foo3barEi` is `Foo::bar(int)`. Undefined for what is no such
 * symbol, or holds more than names, types and numbers, such as expressions in the arguments of templates.
 */
export function signatureOf(symbol: string): string | undefined {
  try {
    return new SymbolReader(symbol).read();
  } catch (error) {
    if (error instanceof NotRead) return undefined;
    throw error;
  }
}
