/** Lines that mean something else though they are what they were. */

import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { tokensOf } from '../../program/source/index.js';
import type { Change, ChangedFile } from '../changes/change.js';

/** A constant, a type or an initial value is another: changes outside of functions, by what they declare. */
export class Declared {
  readonly #texts = new Map<string, readonly string[]>();

  /** @param source the folder of the new version */
  constructor(
    private readonly source: string,
    private readonly files: readonly ChangedFile[],
  ) {}

  /** The changes that declare something a line names. */
  namedIn({ file, line }: { readonly file: string; readonly line: number }): readonly Change[] {
    const words = new Set(wordsOf(this.#lineAt(file, line)));
    return this.files
      .flatMap(({ changes }) => changes)
      .filter(({ within }) => within === undefined)
      .filter((change) =>
        declarationOf(change, this.files).some((text) => wordsOf(text).some((word) => words.has(word))),
      );
  }

  #lineAt(file: string, line: number): string {
    let lines = this.#texts.get(file);
    if (lines === undefined) {
      const text = readInputText(join(this.source, file));
      lines = text instanceof Fault ? [] : text.split('\n');
      this.#texts.set(file, lines);
    }
    return lines[line - 1] ?? '';
  }
}

const usual = new Set(
  'int unsigned char struct return if for while else void static const define extern'.split(' '),
);

function wordsOf(line: string): readonly string[] {
  return tokensOf(`${line}\n`)
    .flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? [])
    .filter((word) => !usual.has(word));
}

/** The lines of a change, and those above it that belong to the same declaration. */
function declarationOf(
  { file, old, new: next, oldLines, newLines }: Change,
  files: readonly ChangedFile[],
): string[] {
  const versions = files.find(({ versions: { path } }) => path === file)?.versions;
  const above = (text: string, from: number): string[] => {
    const lines = text.split('\n').slice(0, from - 1);
    const last = lines.findLastIndex((line) => /[;}]\s*$|^\s*$|^#/.test(line));
    return lines.slice(last + 1);
  };
  return [
    ...above(versions?.newText ?? '', next.from),
    ...above(versions?.oldText ?? '', old.from),
    ...oldLines,
    ...newLines,
  ];
}
