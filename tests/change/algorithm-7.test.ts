import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MeasuredChange, measureFolders } from '../../src/change/index.js';
import { entry, exit, sequenceGraph } from '../../src/change/sequences/sequence-graph.js';
import { Fault } from '../../src/machine/index.js';
import type { FlowBlock, FlowFunction } from '../../src/program/graph/index.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Functions f0, f1 and so on: for each block its successors and callees. */
type Shape = readonly (readonly { readonly next: readonly number[]; readonly calls: readonly number[] }[])[];

function flowOf(shape: Shape): readonly FlowFunction[] {
  return shape.map((blocks, at) => ({
    ...{ name: `f${at}`, file: 'a.c', firstLine: 1, lastLine: 1 },
    blocks: blocks.map(
      ({ next, calls }): FlowBlock => ({ lines: [], next, calls: calls.map((callee) => `f${callee}`) }),
    ),
  }));
}

/** Edges between changed blocks, without those of entry and exit. */
function published(shape: Shape, changed: readonly ReadonlySet<number>[]): readonly string[] {
  const { blocks, edges } = sequenceGraph(flowOf(shape), changed, { isAsPublished: true });
  const name = (at: number): string => `f${blocks[at]?.function}.${blocks[at]?.block}`;
  return edges
    .filter(([from, to]) => from !== entry && to !== exit)
    .map(([from, to]) => `${name(from)} ${name(to)}`)
    .toSorted();
}

/** Lines 4 to 27 of the algorithm, with separate marks for every change. */
function toTheLetter(shape: Shape, changed: readonly ReadonlySet<number>[]): readonly string[] {
  const edges = new Set<string>();
  const mayCall = (caller: number, block: number): ReadonlySet<number> => {
    const found = new Set(shape[caller]?.[block]?.calls);
    for (const callee of found)
      for (const { calls } of shape[callee] ?? []) for (const to of calls) found.add(to);
    return found;
  };
  const traverseChange = (curr: number, method: number, c: string, marked: Set<string>): void => {
    if (marked.has(`${method}.${curr}`)) return;
    marked.add(`${method}.${curr}`);
    for (const bb of shape[method]?.[curr]?.next ?? [])
      if (changed[method]?.has(bb)) edges.add(`${c} f${method}.${bb}`);
      else traverseChange(bb, method, c, marked);
    for (const other of mayCall(method, curr))
      if ((changed[other]?.size ?? 0) > 0) traverseChange(0, other, c, marked);
  };
  for (const method of shape.keys())
    for (const c of changed[method] ?? []) traverseChange(c, method, `f${method}.${c}`, new Set());
  return [...edges].toSorted();
}

const shapes = fc.integer({ min: 1, max: 4 }).chain((functions) =>
  fc.array(
    fc.integer({ min: 1, max: 4 }).chain((blocks) =>
      fc.array(
        fc.record({
          next: fc.uniqueArray(fc.nat(blocks - 1), { maxLength: 2 }),
          calls: fc.array(fc.nat(functions - 1), { maxLength: 2 }),
          isChanged: fc.boolean(),
        }),
        { minLength: blocks, maxLength: blocks },
      ),
    ),
    { minLength: functions, maxLength: functions },
  ),
);

describe('sequenceGraph as published', () => {
  it('the graph has the edges of Algorithm 7, line by line', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const changed = shape.map(
          (blocks) => new Set(blocks.flatMap(({ isChanged }, at) => (isChanged ? [at] : []))),
        );
        expect(published(shape, changed)).toEqual(toTheLetter(shape, changed));
      }),
      { numRuns: 500 },
    );
  });

  it('the first block of a called method is traversed even if it changed (line 25)', () => {
    const shape = [
      [{ next: [], calls: [1] }],
      [
        { next: [1], calls: [] },
        { next: [], calls: [] },
      ],
    ];
    expect(published(shape, [new Set([0]), new Set([0, 1])])).toEqual(['f0.0 f1.1', 'f1.0 f1.1']);
  });

  it('Definition 14 decides which blocks are executed first and last (line 11)', () => {
    // main: 0 changed, 1 calls f, 2; f: 0 changed.
    const shape = [
      [
        { next: [1], calls: [] },
        { next: [2], calls: [1] },
        { next: [], calls: [] },
      ],
      [{ next: [], calls: [] }],
    ];
    const { edges } = sequenceGraph(flowOf(shape), [new Set([0]), new Set([0])], { isAsPublished: true });
    // The call cannot be skipped, so the block before it is never last. It has no edge either.
    expect(edges).toEqual([
      [entry, 0],
      [1, exit],
    ]);
  });

  it('changes are those of diff: white space counts, removed lines and uses of macros do not', async () => {
    const measured = async (
      oldText: string,
      newText: string,
      isAsPublished: boolean,
    ): Promise<MeasuredChange> => {
      const folder = temporaryFolder('published');
      for (const [name, text] of Object.entries({ old: oldText, new: newText })) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'a.c'), text);
      }
      const found = await measureFolders(join(folder, 'old'), join(folder, 'new'), { isAsPublished });
      if (found instanceof Fault) throw new Error(found.message);
      return found;
    };
    const text = (last: string, head = ''): string =>
      `${head}int f (int a)\n{\n  a = a + ONE;\n${last}  return a;\n}\n`;
    const lines = async (oldText: string, newText: string) =>
      Promise.all([true, false].map(async (is) => (await measured(oldText, newText, is)).lines));
    expect(await lines(text('  g (a);\n'), text('    g (a);\n'))).toEqual([1, 0]);
    expect(await lines(text('  g (a);\n'), text(''))).toEqual([0, 1]);
    expect(await lines(text('', '#define ONE 1\n'), text('', '#define ONE 2\n'))).toEqual([0, 1]);
    expect(await lines(text('  g (a);\n'), text('  h (a);\n'))).toEqual([1, 1]);
  });
});
