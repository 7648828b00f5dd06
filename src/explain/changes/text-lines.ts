/** Lines with their ends, as written: put together again they are the text. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
