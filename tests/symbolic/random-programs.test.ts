import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/index.js';
import { nowhere, type Replay } from '../../src/symbolic/index.js';
import { randomC } from '../program/random-c.js';
import { rounds } from '../rounds.js';
import { onlyReplay, printed, TracedPrograms } from './traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());

/** Makes the program print a checksum of all its variables. */
function withChecksum(source: string): string {
  const sums = ['g0', 'g1', 'g2', 'gu.i', 'gs0.x', 'gs1.in.u', '(int)gs0.y'];
  const rows = ['ga0', 'ga1', 'gs0.d', 'gs1.d', 'matrix[0]', 'matrix[1]'];
  const main = source.lastIndexOf('return sum & 63;');
  return `#include <stdio.h>\n${source.slice(0, main)}
  int check = sum;
  for (int at = 0; at < 4; at++) check = check * 31 + ${rows.map((row) => `${row}[at]`).join(' * 7 + ')};
  printf("%d\\n", check);
  printf("%d\\n", ${sums.join(' ^ ')});
  ${source.slice(main)}`;
}

/** Untraced functions that seem to have written values that the program read. There should be none. */
function outsideWriters(run: Replay): readonly string[] {
  const names = new Set<string>();
  for (let at = 0; at < run.instances; at++)
    if (run.instructionOf(at).op === 'load')
      for (const { writer } of run.memoryOf(at))
        if (writer !== nowhere) names.add(run.calledOutside(writer) ?? '');
  return [...names].filter((name) => !['', 'malloc', 'calloc', 'memmove', 'memcpy', 'memset'].includes(name));
}

const seeds = Array.from({ length: rounds(4) }, (_, at) => at + 1);

describe.each(seeds)('random program %i', (seed) => {
  it.each([
    '-O0',
    '-O2',
  ])('a replay has the output and result of the program, compiled with %s', async (level) => {
    const source = withChecksum(randomC(Random.fromSeed(seed), 6));
    const end = programs.run(await programs.build(source, { options: [level] }));
    expect(end.signal).toBeNull();
    const run = await onlyReplay(end);
    expect(run.end).toEqual({ kind: 'end' });
    expect(printed(run).map(String)).toEqual(end.stdout.split('\n').slice(0, -1));
    expect(run.valueOf(run.instances - 1)).toBe(BigInt(end.status ?? -1));
    expect(outsideWriters(run)).toEqual([]);
  });
});
