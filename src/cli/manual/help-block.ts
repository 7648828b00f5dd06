/** A block of the help after the options: a title with calls to copy, or with names and meanings. */
export interface HelpBlock {
  readonly title: string;
  readonly calls: readonly string[];
  readonly items: readonly { readonly name: string; readonly says: string }[];
}

/** Splits a help text into blocks. A call begins with `$`; two spaces end a name. */
export function helpBlocks(text: string): readonly HelpBlock[] {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const [title = '', ...lines] = block.split('\n').map((line) => line.trim());
      const isCall = (line: string): boolean => line.startsWith('$ ');
      return {
        title,
        calls: lines.filter(isCall).map((line) => line.slice(2)),
        items: lines.filter((line) => !isCall(line)).map(itemOf),
      };
    });
}

function itemOf(line: string): { readonly name: string; readonly says: string } {
  const [, name = line, says = ''] = /^(.+?) {2,}(.+)$/.exec(line) ?? [];
  return { name, says };
}
