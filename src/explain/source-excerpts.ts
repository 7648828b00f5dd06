/** The new version around the lines that are told of: as much of it as a reader looks at. */

import { join } from 'node:path';
import { Fault, readInputText } from '../machine/index.js';
import { readSource } from '../program/source/index.js';
import type { CauseLine } from './causes/cause-lines.js';
import type { CauseTree } from './causes/cause-search.js';
import type { Change, ChangedFile } from './changes/change.js';

export interface SourceExcerpt {
  readonly file: string;
  /** In their order; between two of them lines are left out. */
  readonly parts: readonly SourcePart[];
}

export interface SourcePart {
  /** The number of the first line, from 1. */
  readonly from: number;
  /** Without line ends. */
  readonly lines: readonly string[];
}

/** A function is shown whole up to so many lines; of a longer one, and outside of functions, so many on both sides. */
const longestFunction = 120;
const around = 12;
/** Fewer lines between two parts are not left out. */
const leastGap = 4;
/** Of all files together, and of one line, in letters. */
const mostLetters = 1 << 20;
const longestLine = 400;

export interface ToldOf {
  readonly tree: CauseTree | undefined;
  readonly chains: readonly (readonly CauseLine[])[];
  readonly changes: readonly Change[];
}

/**
 * @param files those that changed: their texts are at hand
 * @param folder where the others are
 */
export function sourceExcerpts(
  toldOf: ToldOf,
  files: readonly ChangedFile[],
  folder: string | undefined,
): readonly SourceExcerpt[] {
  const texts = new Map(files.map(({ versions }) => [versions.path, versions.newText]));
  const excerpts: SourceExcerpt[] = [];
  let left = mostLetters;
  for (const [file, wanted] of linesToldOf(toldOf)) {
    const text = texts.has(file) ? decoded(texts.get(file)) : textIn(folder, file);
    if (text === undefined) continue;
    const parts: SourcePart[] = [];
    for (const part of partsOf(text, file, wanted)) {
      const size = part.lines.reduce((sum, line) => sum + line.length + 1, 0);
      if (size > left) continue;
      left -= size;
      parts.push(part);
    }
    if (parts.length > 0) excerpts.push({ file, parts });
  }
  return excerpts;
}

/** By file, those closest to the failure first: they get what room there is. */
function linesToldOf({ tree, chains, changes }: ToldOf): ReadonlyMap<string, ReadonlySet<number>> {
  const wanted = new Map<string, Set<number>>();
  const add = (file: string, line: number): void => {
    const lines = wanted.get(file);
    if (lines === undefined) wanted.set(file, new Set([line]));
    else lines.add(line);
  };
  const causes = tree === undefined ? [] : [tree];
  for (const { at, lines, because } of causes) {
    for (const { file, line } of at === undefined ? lines : [at, ...lines]) add(file, line);
    causes.push(...because);
  }
  for (const { file, line } of chains.flat()) add(file, line);
  for (const { file, new: next } of changes)
    for (let line = next.from; line <= Math.max(next.from, next.to); line++) add(file, line);
  return wanted;
}

function partsOf(text: string, file: string, wanted: ReadonlySet<number>): readonly SourcePart[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const functions = readSource(text, file).functions;
  const isShown = new Uint8Array(lines.length + 2);
  for (const line of wanted) {
    if (line < 1 || line > lines.length + 1) continue;
    const home = functions.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
    const isShort = home !== undefined && home.lastLine - home.firstLine < longestFunction;
    const [from, to] = isShort ? [home.firstLine, home.lastLine] : [line - around, line + around];
    isShown.fill(1, Math.max(1, from), Math.min(lines.length, to) + 1);
  }
  const parts: { from: number; lines: string[] }[] = [];
  for (const [at, line] of lines.entries()) {
    if (isShown[at + 1] === 0) continue;
    const last = parts.at(-1);
    const next = last === undefined ? Number.NEGATIVE_INFINITY : last.from + last.lines.length;
    if (last === undefined || at + 1 - next >= leastGap) parts.push({ from: at + 1, lines: [clipped(line)] });
    else last.lines.push(...lines.slice(next - 1, at + 1).map(clipped));
  }
  return parts;
}

function clipped(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

/** Texts of changed files are held a letter a byte. */
function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1').toString('utf8');
}

/** Nothing outside of the sources, as a header of the system is. */
function textIn(folder: string | undefined, file: string): string | undefined {
  if (folder === undefined || file.startsWith('/') || file.split('/').includes('..')) return undefined;
  const text = readInputText(join(folder, file), { maxBytes: 16 << 20 });
  return text instanceof Fault ? undefined : text;
}
