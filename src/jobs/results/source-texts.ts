import { join, resolve } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';

interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** The code of lines; undefined for files that cannot be read. */
export function codeOfLines(
  lines: readonly SourceLine[],
  folder: string,
): (line: SourceLine) => string | undefined {
  const texts = new Map<string, readonly string[]>();
  for (const file of new Set(lines.map((line) => line.file))) {
    const text = readInputText(resolve(folder, file));
    if (!(text instanceof Fault)) texts.set(file, text.split(/\r?\n/));
  }
  return ({ file, line }) => texts.get(file)?.[line - 1];
}

/** Larger files are generated. */
const mostBytes = 16 * 2 ** 20;

/** The texts of the files in a folder that can be read. */
export function folderTexts(folder: string, names: Iterable<string>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const name of names) {
    const text = readInputText(join(folder, name), { maxBytes: mostBytes });
    if (!(text instanceof Fault)) texts.set(name, text);
  }
  return texts;
}
