/** The set of words in a text, for tables without quotes and commas. */
export function words(text: string): ReadonlySet<string> {
  return new Set(listOf(text));
}

/** The words in order, with repetitions. */
export function listOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
