import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SourceLine } from '../program/graph/index.js';

/** The code of lines, where their files can be read; the others are shown by their numbers. */
export async function codeOfLines(
  lines: readonly SourceLine[],
  folder: string,
): Promise<(line: SourceLine) => string | undefined> {
  const texts = new Map<string, readonly string[]>();
  for (const file of new Set(lines.map((line) => line.file))) {
    const text = await readFile(resolve(folder, file), 'utf8').catch(() => undefined);
    if (text !== undefined) texts.set(file, text.split(/\r?\n/));
  }
  return ({ file, line }) => texts.get(file)?.[line - 1];
}
