/** Words that need no quotes in any shell. */
const plain = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** Control and invisible characters, which could end a quoted word on paste or hide a part of it. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * A word for a command line, quoted if a shell would interpret it.
 * @example shellWord('z3@5.2.0?smt.arith.solver=2') // 'z3@5.2.0?smt.arith.solver=2' in single quotes
 */
export function shellWord(text: string): string {
  if (plain.test(text)) return text;
  if (!unseen.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const letters = [...text].map((letter) => {
    if (letter === "'" || letter === '\\') return `\\${letter}`;
    return unseen.test(letter) ? [...Buffer.from(letter)].map(escapedByte).join('') : letter;
  });
  return `$'${letters.join('')}'`;
}

function escapedByte(byte: number): string {
  // Always three octal digits, so that a following digit is not part of the escape.
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
