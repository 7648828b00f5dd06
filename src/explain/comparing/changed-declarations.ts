/** Unchanged lines whose meaning a changed declaration alters. */

import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { getOrCreate } from '../../program/graph/index.js';
import { tokensOf } from '../../program/source/index.js';
import type { Change, ChangedFile } from '../changes/change.js';

/** Changes outside of functions, by the constants, types and variables that they declare. */
export class ChangedDeclarations {
  readonly #texts = new Map<string, readonly string[]>();
  /** By declared name; computed on first use. */
  #changes: ReadonlyMap<string, readonly Change[]> | undefined;

  /** @param source the folder of the new version */
  constructor(
    private readonly source: string,
    private readonly files: readonly ChangedFile[],
  ) {}

  /** The changes that declare a name used on this line. */
  changesNamedOn({ file, line }: { readonly file: string; readonly line: number }): readonly Change[] {
    this.#changes ??= changesByName(this.files);
    const found = new Set<Change>();
    for (const word of wordsOf(this.#lineAt(file, line)))
      for (const change of this.#changes.get(word) ?? []) found.add(change);
    return [...found].toSorted((a, b) => a.id - b.id);
  }

  #lineAt(file: string, line: number): string {
    const lines = getOrCreate(this.#texts, file, () => {
      const text = readInputText(join(this.source, file));
      return text instanceof Fault ? [] : text.split('\n');
    });
    return lines[line - 1] ?? '';
  }
}

function changesByName(files: readonly ChangedFile[]): ReadonlyMap<string, readonly Change[]> {
  const found = new Map<string, Change[]>();
  for (const { changes, versions } of files)
    for (const change of changes) {
      if (change.within !== undefined) continue;
      for (const name of new Set(
        declarationsOf(change, versions).flatMap((text) => [...declaredNames(text)]),
      ))
        getOrCreate(found, name, () => []).push(change);
    }
  return found;
}

function wordsOf(text: string): readonly string[] {
  return tokensOf(`${text}\n`).flatMap((token) => token.text.match(/[A-Za-z_]\w*/g) ?? []);
}

/** Macros that older programs put before the parameters of a function. */
const prototyping = /^(?:PARAMS|PROTO|ARGS|__P|P_)$/;

/** The names declared by code outside of functions: variables, functions, members, constants, types and macros. */
export function declaredNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  // No name is declared inside parentheses or inside an initializer; these are the current nesting depths.
  let [parentheses, valueDepth, braces] = [0, -1, 0];
  let last: string | undefined;
  for (const { kind, text: word } of tokensOf(`${text}\n`)) {
    if (kind === 'directive') {
      const name = /^\s*#\s*(?:define|undef)\s+(\w+)/.exec(word)?.[1];
      if (name !== undefined) names.add(name);
      continue;
    }
    const isOutside = parentheses === 0 && valueDepth < 0;
    const isEnd = /^[;,=[(:{}]$/.test(word) || prototyping.test(word);
    if (isOutside && isEnd && last !== undefined) names.add(last);
    last = /^[A-Za-z_]\w*$/.test(word) && !prototyping.test(word) ? word : undefined;
    if (word === '(') parentheses++;
    else if (word === ')') parentheses = Math.max(0, parentheses - 1);
    else if (word === '{') braces++;
    else if (word === '}') {
      braces--;
      if (valueDepth > braces) valueDepth = -1;
    } else if (word === '=' && isOutside) valueDepth = Math.max(0, braces);
    else if ((word === ';' || word === ',') && parentheses === 0 && valueDepth === Math.max(0, braces))
      valueDepth = -1;
  }
  return names;
}

/** The lines of a change in each version, with the lines above that belong to the same declaration. */
function declarationsOf(
  { old, new: next, oldLines, newLines }: Change,
  { oldText, newText }: ChangedFile['versions'],
): readonly string[] {
  const above = (text: string, from: number): readonly string[] => {
    const lines = text.split('\n').slice(0, from - 1);
    const last = lines.findLastIndex((line) => /[;}]\s*$|^\s*$|^#/.test(line));
    return lines.slice(last + 1);
  };
  return [
    [...above(newText ?? '', next.from), ...newLines],
    [...above(oldText ?? '', old.from), ...oldLines],
  ].map((lines) => lines.join('\n'));
}
