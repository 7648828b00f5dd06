/**
 * Controls, line separators, halves of characters and everything that takes no room: what a reader cannot see and a
 * terminal may obey, marks that turn the direction of writing among it.
 */
const hidden = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]';

/** Marks that ordinary writing needs, where they do their work: joiners in emoji and Arabic, styles of emoji. */
const joiner = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Presentation}\\p{M}\\p{Lo}])[\\u200C\\u200D]';
const style = '(?<=[\\p{Extended_Pictographic}0-9#*])[\\uFE0E\\uFE0F]';
const unseen = new RegExp(`(?!${joiner}|${style})${hidden}`, 'gu');

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

/** JSON with nothing hidden in it and the same values: what cannot be seen stands only in strings, and is escaped there. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(unseen, (letter) => letter.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
