import type { CodeToken } from './tokens.js';

const cEndings = new Set(['c']);
const cppEndings = new Set(['cc', 'cpp', 'cxx', 'c++', 'cp', 'hh', 'hpp', 'hxx', 'h++', 'ipp', 'tcc', 'tpp']);
const accesses = new Set(['public', 'private', 'protected']);

/**
 * Decides by the file's extension; for headers, by the code. Only constructs that are impossible in C count: a C
 * header may have a field named `class`.
 */
export function isCppFile(file: string, code: readonly CodeToken[]): boolean {
  const ending = file.slice(file.lastIndexOf('.') + 1);
  // `.C` is C++ on file systems that distinguish case.
  if (ending === 'C' || ending === 'H' || cppEndings.has(ending.toLowerCase())) return true;
  return !cEndings.has(ending) && code.some((token, i) => isCppOnly(token.text, code[i + 1], code[i + 2]));
}

function isCppOnly(text: string, next: CodeToken | undefined, afterNext: CodeToken | undefined): boolean {
  switch (text) {
    case '::':
      return true;
    case 'template':
      return next?.text === '<';
    case 'namespace':
      return next?.text === '{' || (next?.kind === 'name' && afterNext?.text === '{');
    case 'class':
      return next?.kind === 'name' && (afterNext?.text === '{' || afterNext?.text === ':');
    default:
      return accesses.has(text) && next?.text === ':';
  }
}
