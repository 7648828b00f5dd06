/** Recognizes C and C++ files by their extensions. */

const compiledEndings = ['c', 'cc', 'cpp', 'cxx', 'C', 'c++'];
const headerEndings = ['h', 'hh', 'hpp', 'hxx', 'H', 'h++', 'inl', 'ipp', 'tcc'];

export const codeEndings: readonly string[] = [...compiledEndings, ...headerEndings];

export function isCode(path: string): boolean {
  return codeEndings.includes(endingOf(path));
}

/** Headers are compiled only as part of the files that include them. */
export function isSourceFile(path: string): boolean {
  return compiledEndings.includes(endingOf(path));
}

function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1] ?? '';
}
