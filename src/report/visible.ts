/** Controls, and marks that turn the direction of writing: what a reader cannot see and a terminal may obey. */
const unseen = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/gu;

/**
 * Text from a stranger with nothing hidden in it: what cannot be seen is written the way SMT-LIB writes it in
 * strings, such as `\u{1b}`. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(unseen, (letter) =>
      letter === '\n' || letter === '\t' ? letter : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
    );
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\n\t]/g, ' ');
}
