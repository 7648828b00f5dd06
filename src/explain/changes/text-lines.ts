/** Lines with their ends; joined, they are the text. */
export function linesWithEnds(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
