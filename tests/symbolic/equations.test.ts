import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/index.js';
import { type Instance, nowhere, type Replay } from '../../src/symbolic/index.js';
import { randomC } from '../program/random-c.js';
import { programsAndReasoner } from './programs-and-reasoner.js';
import { onlyReplay } from './traced-program.js';

const { programs, reasoner } = programsAndReasoner();
const signal = new AbortController().signal;

/** The instances with their equations and declarations. */
function equationsOf(run: Replay, most: number) {
  const { equations } = run;
  const all: Instance[] = [];
  const statements = new Map<number, string>();
  for (let at = 0; at < run.instances && all.length < most; at++) {
    const { op } = run.instructionOf(at);
    if (op === 'br' || op === 'branch' || op === 'switch' || op === 'unreachable') continue;
    all.push(at);
    const { text, uses } = equations.of(at);
    for (const used of uses) expect(used, `of instance ${at}`).toBeLessThan(at);
    statements.set(at, text);
  }
  return { all, statements, declarations: all.map((at) => equations.declaration(at)) };
}

/** Asks Z3 if the equations are satisfiable with the values of the run, and unsatisfiable with others. */
async function areTrueAndTellAll(run: Replay, most = 1000): Promise<void> {
  const { all, statements, declarations } = equationsOf(run, most);
  const seen = all.map((at) => run.equations.observed(at));
  expect(await reasoner().contradiction({ declarations, given: seen, statements }, signal)).toBe('possible');
  const other = [`(not (and ${seen.join(' ')}))`];
  const core = await reasoner().contradiction({ declarations, given: other, statements }, signal);
  expect(core).not.toBe('possible');
  expect(core).toBeDefined();
}

describe('equations of a run', () => {
  it.each([12, 14])('the equations hold in the run and determine it (random program %i)', async (seed) => {
    const end = programs.run(await programs.build(randomC(Random.fromSeed(seed), 4)));
    await areTrueAndTellAll(await onlyReplay(end));
  });

  it('the equations cover floats, shifts, bytes of words, copies, texts, choices and untraced code', async () => {
    const end = programs.run(
      await programs.build(`#include <string.h>
#include <stdlib.h>
#include <stdio.h>
struct pair { char a; short b; double c; };
static double half(float x) { return x / 2 + (x > 1.5f ? 0.25 : -0.5); }
int main(int argc, char **argv) {
  struct pair p = { 'x', -3, 0.1 }, q;
  memcpy(&q, &p, sizeof q);
  unsigned word = 0x12345678;
  unsigned char *bytes = (unsigned char *)&word;
  char text[16];
  strcpy(text, "seven");
  strcat(text, "ty");
  int length = strlen(text), sum = bytes[1] + (q.b >> 1) + (int)half(q.c * 30) + length;
  bytes[3] = 7;
  switch (text[2]) { case 'v': sum += word % 100; break; default: sum = 0; }
  float nothing = 0.0f / (argc - 1), small = 1e-40f;
  sum += nothing == nothing ? 1 : 2;
  sum += (unsigned)small < 1u;
  sum = atoi("12") + (sum << 3) - (sum ^ 5) * (short)sum / 3;
  printf("%d\\n", sum);
  return sum & 63;
}
`),
    );
    expect(end.signal).toBeNull();
    await areTrueAndTellAll(await onlyReplay(end));
  });

  it('an operand that is multiplied by zero is in no contradiction', async () => {
    const run = await onlyReplay(
      programs.run(
        await programs.build(`int main(int argc, char **argv) {
  int unused = argc * 17 + 4;
  int zero = argc - 1;
  int product = unused * zero;
  return product;
}
`),
      ),
    );
    const at = run.instances - 1;
    expect(run.instructionOf(at).op).toBe('ret');
    const { statements, declarations } = equationsOf(run, 1000);
    const core = await reasoner().contradiction(
      { declarations, given: [`(not ${run.equations.observed(at)})`], statements },
      signal,
    );
    if (core === undefined || core === 'possible') throw new Error('it could be otherwise');
    const lines = new Set(core.map((instance) => run.lineOf(instance)?.line));
    expect(lines).toContain(3);
    expect(lines).toContain(4);
    expect(core.every((instance) => instance > nowhere)).toBe(true);
  });
});
