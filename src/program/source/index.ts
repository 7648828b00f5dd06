/**
 * C and C++ as text, read without headers and without a compiler: tokens, functions with their blocks and statements,
 * macros, declarations. Any text gives an answer; what could not be understood is among its faults.
 *
 * @example
 * const { functions, faults } = readSource('int f (int x) { if (x) g (); return x; }', 'f.c');
 * functions[0]?.blocks.length; // 3
 */

export { readSource } from './read-source.js';
export type { SourceFile, SourceFunction, SourceStatement } from './source-file.js';
export { type CodeToken, tokensOf } from './tokens.js';
