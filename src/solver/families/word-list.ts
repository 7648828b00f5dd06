/** The words of a text, for tables that are easier to read without quotes and commas. */
export function words(text: string): ReadonlySet<string> {
  return new Set(listOf(text));
}

/** The same in their order, with those that come again. */
export function listOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
