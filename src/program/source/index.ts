/**
 * Reads C and C++ text without headers and without a compiler: tokens, functions with their blocks and statements,
 * macros, declarations. Any text has a result; parts that were not understood are reported as faults.
 *
 * @example const { functions, faults } = readSource('int f (int x) { if (x) g (); return x; }', 'f.c');
 * functions[0]?.blocks.length; // 3
 */

export { readSource } from './read-source.js';
export type { SourceFile, SourceFunction, SourceStatement } from './source-file.js';
export { type CodeToken, tokensOf } from './tokens.js';
