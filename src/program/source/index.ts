export { readSource } from './read-source.js';
export type { SourceFile, SourceFunction, SourceStatement } from './source-file.js';
export { type Token, tokensOf } from './tokens.js';
