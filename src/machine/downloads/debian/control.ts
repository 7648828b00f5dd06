/** One paragraph of a Debian control file: lower-case field names, continuation lines joined by newlines. */
export type Paragraph = ReadonlyMap<string, string>;

/** Reads the deb822 format of apt sources, Release files and Packages indexes. */
export function readParagraphs(text: string): readonly Paragraph[] {
  return text
    .split(/\n(?:[ \t]*\n)+/)
    .map(readParagraph)
    .filter((paragraph) => paragraph.size > 0);
}

export function readParagraph(text: string): Paragraph {
  const fields = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const started = /^([^\s:]+):[ \t]*(.*)$/.exec(line);
    if (started !== null) {
      name = (started[1] ?? '').toLowerCase();
      fields.set(name, (started[2] ?? '').trimEnd());
    } else if (/^[ \t]/.test(line) && name !== '') {
      fields.set(name, `${fields.get(name)}\n${line.trim()}`);
    }
  }
  return fields;
}

export function words(paragraph: Paragraph, name: string): readonly string[] {
  return (paragraph.get(name) ?? '').split(/\s+/).filter((word) => word !== '');
}
