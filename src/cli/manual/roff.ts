/** roff, the language of man pages: macros of man(7) on lines of their own, text on all other lines. */

/** Characters that roff would interpret, or replace by a similar one that cannot be copied. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\(rs'],
  ['-', '\\-'],
  ["'", '\\(aq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
  ['"', '\\(dq'],
  // Some terminals lack it.
  ['…', '...'],
]);

/** Literal text on one line; also valid within the quotes of a macro. */
export function plain(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = [...line].map((letter) => escapes.get(letter) ?? ascii(letter)).join('');
  // A dot at the start of a line begins a macro.
  return letters.startsWith('.') ? `\\&${letters}` : letters;
}

export function bold(text: string): string {
  return `\\fB${plain(text)}\\fR`;
}

export function italic(text: string): string {
  return `\\fI${plain(text)}\\fR`;
}

function ascii(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return code < 0x7f ? letter : `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

export function section(title: string, ...lines: readonly string[]): readonly string[] {
  return [`.SH "${plain(title)}"`, ...lines];
}

export function subsection(title: string, ...lines: readonly string[]): readonly string[] {
  return [`.SS "${plain(title)}"`, ...lines];
}

export function paragraph(text: string): readonly string[] {
  return ['.PP', text];
}

/** A term and its meaning. */
export function item(term: string, meaning: string): readonly string[] {
  return ['.TP', term, meaning];
}

export function indented(...lines: readonly string[]): readonly string[] {
  return ['.RS 4', ...lines, '.RE'];
}

/** Literal lines for a terminal. */
export function example(lines: readonly string[]): readonly string[] {
  return ['.EX', ...lines.map(bold), '.EE'];
}
