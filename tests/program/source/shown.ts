import { readSource } from '../../../src/program/source/read-source.js';
import type { SourceFunction } from '../../../src/program/source/source-file.js';

/**
 * Each block as `lines > next blocks`, such as `3,4 > 1,2`: `-` for a block without lines, nothing after `>` for a
 * return.
 */
export function shownBlocks({ blocks }: SourceFunction): string[] {
  return blocks.map(({ lines, next, isLast = false }) => {
    const executed = lines.map(({ line }) => line).join(',');
    return `${executed === '' ? '-' : executed} > ${isLast ? 'end' : next.join(',')}`.trimEnd();
  });
}

export function functionIn(text: string, file = 'f.c'): SourceFunction {
  const [first] = readSource(text, file).functions;
  if (first === undefined) throw new Error('no function was read');
  return first;
}

/** The blocks of a function with this body, which begins on line 1. */
export function blocksOf(body: string, file = 'f.c'): string[] {
  return shownBlocks(functionIn(`int f (int a) {${body}\n}`, file));
}

export const namesIn = (text: string, file = 'f.c'): string[] =>
  readSource(text, file).functions.map(({ name, firstLine, lastLine }) => `${name} ${firstLine}-${lastLine}`);
