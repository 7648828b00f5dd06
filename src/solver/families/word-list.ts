/** The set of words in a text, for tables without quotes and commas. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordList(text));
}

/** The words in order, with repetitions. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
