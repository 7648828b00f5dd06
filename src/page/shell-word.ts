/** Letters that mean themselves to every shell. */
const plain = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** What may end a quoted word when it is pasted into a terminal, or hide a part of it. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * A word for a command line, quoted where a shell would read something into it.
 *
 * @example
 * shellWord('z3@5.2.0?smt.arith.solver=2') // 'z3@5.2.0?smt.arith.solver=2' in single quotes
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
  // In octal, always three digits, so that a digit that follows is not taken in.
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
