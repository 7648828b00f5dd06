/** Matches the lines of a replaced block with the lines of its replacement (SMTLOC, 2.3.2, Fig. 5). */

import { leastAssignment } from './assignment.js';
import { Words, wordDistance } from './word-distance.js';

/** The most pairs of lines to compare; larger blocks are split. */
const mostPairs = 40_000;

/**
 * The origin of each new line, -1 for none: the matching with the least total word distance.
 *
 * Identical lines are matched first. This keeps the total minimal: if a matching lacks such a pair, their partners
 * can be matched with each other, at a distance of at most the sum of both. Blocks that are still too large, as after
 * a rewrite of a file, are split proportionally.
 */
export function matchedLines(oldLines: readonly string[], newLines: readonly string[]): Int32Array {
  const words = new Words();
  const olds = oldLines.map((line) => words.of(line));
  const news = newLines.map((line) => words.of(line));
  const found = new Int32Array(news.length).fill(-1);
  const [restOfOld, restOfNew] = matchSame(olds, news, found);
  const pieces = Math.ceil(Math.sqrt((restOfOld.length * restOfNew.length) / mostPairs));
  const pieceOf = (all: readonly number[], piece: number): readonly number[] =>
    all.slice(Math.floor((piece * all.length) / pieces), Math.floor(((piece + 1) * all.length) / pieces));
  for (let piece = 0; piece < pieces; piece++) {
    const someOld = pieceOf(restOfOld, piece);
    const someNew = pieceOf(restOfNew, piece);
    const costs = someNew.flatMap((to) =>
      someOld.map((from) => wordDistance(olds[from] ?? none, news[to] ?? none)),
    );
    const columns = leastAssignment(
      someNew.length,
      someOld.length,
      (row, column) => costs[row * someOld.length + column] ?? 0,
    );
    for (const [row, column] of columns.entries()) {
      const to = someNew[row];
      if (to !== undefined && column >= 0) found[to] = someOld[column] ?? -1;
    }
  }
  return found;
}

const none = new Uint32Array(0);

/** Matches identical lines; returns the numbers of the unmatched old and new lines. */
function matchSame(
  olds: readonly Uint32Array[],
  news: readonly Uint32Array[],
  found: Int32Array,
): readonly [readonly number[], readonly number[]] {
  const waiting = new Map<string, number[]>();
  for (const [at, line] of olds.entries()) {
    const key = line.join(' ');
    const same = waiting.get(key);
    if (same === undefined) waiting.set(key, [at]);
    else same.push(at);
  }
  for (const same of waiting.values()) same.reverse();
  const restOfNew: number[] = [];
  for (const [at, line] of news.entries()) {
    const from = waiting.get(line.join(' '))?.pop();
    if (from === undefined) restOfNew.push(at);
    else found[at] = from;
  }
  return [[...waiting.values()].flat().toSorted((a, b) => a - b), restOfNew];
}
