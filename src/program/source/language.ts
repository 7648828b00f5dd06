import type { CodeToken } from './tokens.js';

const cEndings = new Set(['c']);
const cppEndings = new Set(['cc', 'cpp', 'cxx', 'c++', 'cp', 'hh', 'hpp', 'hxx', 'h++', 'ipp', 'tcc', 'tpp']);
const accesses = new Set(['public', 'private', 'protected']);

/**
 * Is this C++? Told by the file's ending where that says it; a header is what its code looks like. Only what cannot
 * stand in C counts: a C header may well have a field called `class`.
 */
export function isCppFile(file: string, code: readonly CodeToken[]): boolean {
  const ending = file.slice(file.lastIndexOf('.') + 1);
  // `.C` is C++ where case matters, and git keeps case.
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
