/**
 * Encodes how the counts of a function's lines follow from its counters, as a sequence of numbers with each list
 * after its length: the number of arcs; the counted arcs; derivation steps, each an arc, the arcs added and the arcs
 * subtracted; the arcs that sum up to the calls; the offset of the arcs between blocks of loops; lines, each with its
 * number, its incoming arcs, and the blocks of loops on it. Then the arcs of loops: block, arc, block. Then the
 * source and target block of each arc.
 */

import type { FunctionSums, LineSum } from './line-sums.js';

/**
 * @param start offset of this function's code in the code of all functions
 * @param lineOf number of a line in the table; undefined for a line that is left out
 */
export function functionCode(
  { noted, flow, lines }: FunctionSums,
  start: number,
  lineOf: (line: LineSum) => number | undefined,
): number[] {
  const code: number[] = [noted.arcs.length];
  const list = (numbers: readonly number[]): void => {
    code.push(numbers.length);
    for (const number of numbers) code.push(number);
  };
  list(flow.counted);
  code.push(flow.steps.length);
  for (const { arc, plus, minus } of flow.steps) {
    code.push(arc);
    list(plus);
    list(minus);
  }
  list(flow.blocks[0] ?? []);
  const loopsAt = code.push(0) - 1;
  const numbered = lines.flatMap((line) => {
    const number = lineOf(line);
    return number === undefined || line.arcs.length + line.loops.length === 0 ? [] : [{ line, number }];
  });
  code.push(numbered.length);
  for (const { line, number } of numbered) {
    code.push(number);
    list(line.arcs);
    list(line.loops);
  }
  code[loopsAt] = start + code.length;
  const blocks = new Set(numbered.flatMap(({ line }) => line.loops));
  const arcs = [...blocks].flatMap((block) => flow.leaving[block] ?? []);
  code.push(arcs.length);
  for (const arc of arcs) {
    const { from, to } = noted.arcs[arc] ?? { from: -1, to: -1 };
    code.push(from, arc, to);
  }
  for (const { from, to } of noted.arcs) code.push(from, to);
  return code;
}
