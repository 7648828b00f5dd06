import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../../src/program/source/read-source.js';
import type { SourceFunction } from '../../../src/program/source/source-file.js';
import { randomFunctions } from './random-function.js';

function only(text: string): SourceFunction {
  const { functions, faults } = readSource(text, 'f.c');
  expect(faults).toEqual([]);
  expect(functions).toHaveLength(1);
  const [read] = functions;
  if (read === undefined) throw new Error('no function was read');
  return read;
}

/** The steps of a block, without `exit`. */
const stepsOf = (read: SourceFunction, block: number): string[] =>
  (read.blocks[block]?.calls ?? []).flatMap((name) =>
    typeof name === 'string' && name !== 'exit' ? [name] : [],
  );

function reachedBlocks(read: SourceFunction): Set<number> {
  const reached = new Set([0]);
  for (const block of reached) for (const next of read.blocks[block]?.next ?? []) reached.add(next);
  return reached;
}

/** The possible positions (block and index) of the next step, after blocks without steps are skipped. */
function placesOf(read: SourceFunction, from: readonly number[]): Set<number> {
  const seen = new Set(from);
  for (const block of seen) {
    if (stepsOf(read, block).length > 0) continue;
    for (const next of read.blocks[block]?.next ?? []) seen.add(next);
  }
  return seen;
}

/** The first step of a trace that no path through the blocks explains. */
function unexplained(read: SourceFunction, trace: readonly string[]): string | undefined {
  let blocks = placesOf(read, [0]);
  let rest: string[] = [];
  for (const step of trace) {
    if (rest.length === 0) {
      const block = [...blocks].find((number) => stepsOf(read, number)[0] === step);
      if (block === undefined) return step;
      rest = stepsOf(read, block);
      blocks = placesOf(read, read.blocks[block]?.next ?? []);
    }
    if (rest.shift() !== step) return step;
  }
  return undefined;
}

describe('the blocks of a random function', () => {
  it('contain every step exactly once', () => {
    fc.assert(
      fc.property(randomFunctions, ({ text, reached, dead }) => {
        const read = only(text);
        const steps = read.blocks.flatMap((_, block) => stepsOf(read, block));
        expect(steps.sort()).toEqual([...reached, ...dead].sort());
      }),
      { numRuns: 400 },
    );
  });

  it('lead to all reachable steps and to no others', () => {
    fc.assert(
      fc.property(randomFunctions, ({ text, reached }) => {
        const read = only(text);
        const steps = [...reachedBlocks(read)].flatMap((block) => stepsOf(read, block));
        expect(new Set(steps)).toEqual(reached);
      }),
      { numRuns: 400 },
    );
  });

  it('have a path for every run', () => {
    fc.assert(
      fc.property(
        randomFunctions,
        fc.array(fc.nat(11), { minLength: 1, maxLength: 80 }),
        (random, choices) => {
          const read = only(random.text);
          let at = 0;
          const trace = random.run((ways) => (choices[at++ % choices.length] ?? 0) % ways);
          expect(unexplained(read, trace)).toBeUndefined();
        },
      ),
      { numRuns: 600 },
    );
  });

  it('end the program only where it calls exit', () => {
    fc.assert(
      fc.property(randomFunctions, ({ text }) => {
        for (const { calls, next, isLast = false } of only(text).blocks) {
          expect(isLast).toBe(calls.includes('exit'));
          if (isLast) expect(next).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('have valid successor numbers without duplicates', () => {
    fc.assert(
      fc.property(randomFunctions, ({ text }) => {
        const { blocks, statements } = only(text);
        for (const { next } of blocks) {
          expect(new Set(next).size).toBe(next.length);
          for (const number of next) expect(number).toSatisfy((n: number) => n >= 0 && n < blocks.length);
        }
        for (const statement of statements) {
          for (const number of statement.blocks) expect(blocks[number]).toBeDefined();
        }
      }),
      { numRuns: 200 },
    );
  });

  it('have the line of each step, and a statement on that line is in the block', () => {
    fc.assert(
      fc.property(randomFunctions, ({ text }) => {
        const read = only(text);
        const lines = text.split('\n');
        read.blocks.forEach((block, number) => {
          for (const step of stepsOf(read, number)) {
            const line = lines.findIndex((written) => written.includes(`${step} (`)) + 1;
            expect(block.lines.map((place) => place.line)).toContain(line);
            expect(
              read.statements.some(
                ({ firstLine, lastLine, blocks }) =>
                  firstLine <= line && line <= lastLine && blocks.includes(number),
              ),
            ).toBe(true);
          }
        });
      }),
      { numRuns: 200 },
    );
  });
});
