/**
 * Characters that a reader cannot see and a terminal may obey: controls, line separators, lone surrogates, zero-width
 * characters and marks that change the text direction.
 */
const hidden = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]';

/**
 * Invisible characters that ordinary text needs in their proper context: joiners in emoji and Arabic, style selectors
 * of emoji.
 */
const joiner = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Presentation}\\p{M}\\p{Lo}])[\\u200C\\u200D]';
const style = '(?<=[\\p{Extended_Pictographic}0-9#*])[\\uFE0E\\uFE0F]';
const unseen = new RegExp(`(?!${joiner}|${style})${hidden}`, 'gu');

/**
 * Escapes invisible characters in untrusted text in the notation of SMT-LIB strings, such as `\u{1b}`. Line ends and
 * tabs stay.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(unseen, (letter) =>
      letter === '\n' || letter === '\t' ? letter : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
    );
}

export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\n\t]/g, ' ');
}

/** JSON with the same values in which invisible characters are escaped; they occur only inside strings. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(unseen, (letter) => letter.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
