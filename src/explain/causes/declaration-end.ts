/** Comments, string and character literals, brackets, semicolons and line ends. */
const words = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[{}();\n]/g;

/** The last line of the declaration that begins on the given line; lines count from 1. */
export function declarationEnd(text: string, first: number): number {
  let line = 1;
  let start = 0;
  for (; line < first; line++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return first;
  }
  let depth = 0;
  words.lastIndex = start;
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const [word] = match;
    if (word === '{' || word === '(') depth++;
    else if (word === '}' || word === ')') depth--;
    else if (word === ';' && depth <= 0) return line;
    else for (const letter of word) if (letter === '\n') line++;
  }
  return line;
}
