/** Excerpts of the new version around the lines that an explanation reports. */

import { join } from 'node:path';
import { Fault, readInputText } from '../machine/index.js';
import { getOrCreate } from '../program/graph/index.js';
import { readSource } from '../program/source/index.js';
import type { CauseLine } from './causes/cause-lines.js';
import type { CauseTree } from './causes/cause-search.js';
import type { Change, ChangedFile } from './changes/change.js';

export interface SourceExcerpt {
  readonly file: string;
  /** In the order of lines; lines between two parts are left out. */
  readonly parts: readonly SourcePart[];
}

export interface SourcePart {
  /** The number of the first line, from 1. */
  readonly from: number;
  /** Without line ends. */
  readonly lines: readonly string[];
}

/** Longer functions, and lines outside of functions, are shown with this many lines of context. */
const longestFunction = 120;
const contextLines = 12;
/** Smaller gaps between two parts are filled. */
const minGap = 4;
/** Limits for all files together and for one line. */
const maxCharacters = 1 << 20;
const longestLine = 400;

export interface ReportedParts {
  readonly tree: CauseTree | undefined;
  readonly chains: readonly (readonly CauseLine[])[];
  readonly changes: readonly Change[];
}

/**
 * @param files the changed files, with their texts
 * @param folder holds all other files
 */
export function sourceExcerpts(
  toldOf: ReportedParts,
  files: readonly ChangedFile[],
  folder: string | undefined,
): readonly SourceExcerpt[] {
  const texts = new Map(files.map(({ versions }) => [versions.path, versions.newText]));
  const excerpts: SourceExcerpt[] = [];
  let left = maxCharacters;
  for (const [file, wanted] of reportedLines(toldOf)) {
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

/** Lines by file, starting with those closest to the failure, since the size is limited. */
function reportedLines({ tree, chains, changes }: ReportedParts): ReadonlyMap<string, ReadonlySet<number>> {
  const wanted = new Map<string, Set<number>>();
  const add = (file: string, line: number) => getOrCreate(wanted, file, () => new Set()).add(line);
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
    const [from, to] = isShort ? [home.firstLine, home.lastLine] : [line - contextLines, line + contextLines];
    isShown.fill(1, Math.max(1, from), Math.min(lines.length, to) + 1);
  }
  const parts: { from: number; lines: string[] }[] = [];
  for (const [at, line] of lines.entries()) {
    if (isShown[at + 1] === 0) continue;
    const last = parts.at(-1);
    const next = last === undefined ? Number.NEGATIVE_INFINITY : last.from + last.lines.length;
    if (last === undefined || at + 1 - next >= minGap) parts.push({ from: at + 1, lines: [clipped(line)] });
    else last.lines.push(...lines.slice(next - 1, at + 1).map(clipped));
  }
  return parts;
}

function clipped(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

/** Texts of changed files are stored as latin1, one character per byte. */
function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1').toString('utf8');
}

/** Skips files outside the sources, such as system headers. */
function textIn(folder: string | undefined, file: string): string | undefined {
  if (folder === undefined || file.startsWith('/') || file.split('/').includes('..')) return undefined;
  const text = readInputText(join(folder, file), { maxBytes: 16 << 20 });
  return text instanceof Fault ? undefined : text;
}
