/**
 * How the counts of a function's lines follow from its counters, as numbers one after the other, each list after its
 * length: how many arcs there are; the arcs that are counted; steps, each an arc, those it is the sum of, and those that
 * are taken away; the arcs that make up the calls; where the arcs between blocks of loops begin; lines, each with its
 * number, the arcs that lead to it, and the blocks of loops on it. Then those arcs: block, arc, block. Then the
 * blocks that each arc of the function comes from and leads to.
 */

import type { FunctionSums, LineSum } from './line-sums.js';

/**
 * @param start where its code begins among that of all functions
 * @param lineOf the number of a line among all; undefined for one that is left out
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
