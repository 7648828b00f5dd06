import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Fault, Random } from '../../src/machine/index.js';
import { programOf } from '../../src/program/compile/index.js';
import { recordsIn, replay } from '../../src/symbolic/index.js';
import { withoutFault } from '../without-fault.js';
import { TracedPrograms } from './traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());

describe('a damaged record', () => {
  it('a damaged record is replayed as far as possible, within the instruction limit', async () => {
    const program = await programs.build(`#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf place;
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int list[8];
  char text[32];
  for (int i = 0; i < 8; i++) list[i] = i * 7 % 5;
  qsort(list, 8, sizeof *list, order);
  sprintf(text, "%d", list[3]);
  if (setjmp(place) == 0) longjmp(place, 1);
  char *copy = malloc(strlen(text) + 1);
  memcpy(copy, text, strlen(text) + 1);
  switch (copy[0]) { case '1': puts("one"); break; default: printf("%s\\n", copy); }
  return 0;
}
`);
    const { traces } = programs.run(program);
    const built = withoutFault(await programOf(program));
    const [name = ''] = readdirSync(traces).filter((each) => each.endsWith('.trace'));
    const whole = readFileSync(join(traces, name));
    const end = whole.findLastIndex((byte) => byte !== 0) + 1;
    const random = Random.fromSeed(1);
    const kinds = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(
        whole.subarray(0, round % 3 === 0 ? random.between(4096, end) : whole.length),
      );
      if (round % 3 !== 0) damaged[random.between(4096, end - 1)] = random.below(256);
      const folder = join(programs.folder, `damaged-${round}`);
      cpSync(traces, folder, { recursive: true });
      writeFileSync(join(folder, name), damaged);
      const [record] = withoutFault(await recordsIn(folder));
      if (record === undefined) throw new Error('there is no record');
      const run = await replay(record, [built], { most: 200_000 });
      kinds.add(run instanceof Fault ? 'fault' : run.end.kind);
    }
    expect([...kinds].every((kind) => ['end', 'divergence', 'limit', 'signal', 'full'].includes(kind))).toBe(
      true,
    );
    expect(kinds).toContain('divergence');
  });

  it('a file that is no record, and a missing folder, are faults', async () => {
    programs.write('1-0.trace', 'something else');
    expect(await recordsIn(programs.folder)).toEqual(
      new Fault('text', `${join(programs.folder, '1-0.trace')} is not a record of a run`),
    );
    expect(await recordsIn(join(programs.folder, 'missing'))).toBeInstanceOf(Fault);
  });
});
