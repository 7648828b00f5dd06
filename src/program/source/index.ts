export { readSource } from './read-source.js';
export type { SourceFile, SourceFunction, SourceStatement } from './source-file.js';
export { type CodeToken, tokensOf } from './tokens.js';
