import { afterAll, describe, expect, it } from 'vitest';
import { nowhere, type Replay } from '../../src/symbolic/index.js';
import { dataLines, onlyReplay, printed, sliceLines, TracedPrograms } from './traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());

async function replayed(source: string, args: readonly string[] = [], input = ''): Promise<Replay> {
  const run = await onlyReplay(programs.run(await programs.build(source), args, input));
  expect(run.end).toEqual({ kind: 'end' });
  return run;
}

/** The last call of printf. */
const lastOutput = (run: Replay): number => run.outputs.at(-1) ?? nowhere;

/** Lines, from 1, with a mark in their comment. */
function marked(source: string, mark: string): readonly number[] {
  return source.split('\n').flatMap((line, at) => (line.includes(`// ${mark}`) ? [at + 1] : []));
}

describe('replay', () => {
  it('dependences of an output lead through registers, memory and calls', async () => {
    const source = `#include <stdio.h>
struct pair { int first, second; };
static int twice(int x) {
  return x * 2; // *
}
int main(void) {
  int list[4];
  int other = 9;
  struct pair one, copy;
  list[1] = 3; // *
  list[2] = 4;
  one.first = twice(list[1]); // *
  one.second = other;
  copy = one; // *
  int *p = &copy.first; // *
  printf("%d\\n", *p + 1); // *
  return 0;
}
`;
    const run = await replayed(source);
    expect(printed(run)).toEqual([[7]]);
    const declared = new Set(marked(source, '*'));
    const found = dataLines(run, lastOutput(run));
    expect(found.filter((line) => ![7, 8, 9].includes(line))).toEqual([...declared]);
  });

  it('controllerOf gives the branches that decided on an output', async () => {
    const source = `#include <stdio.h>
int main(int count, char **words) {
  int x = 0;
  if (count > 5) // -
    x = 1;
  if (count == 1) // *
    x = 2; // *
  for (int i = 0; i < 3; i++) // -
    count++;
  printf("%d\\n", x); // *
  return 0;
}
`;
    const run = await replayed(source);
    const lines = sliceLines(run, lastOutput(run));
    expect(lines).toEqual(expect.arrayContaining([...marked(source, '*')]));
    expect(lines.filter((line) => marked(source, '-').includes(line))).toEqual([]);
  });

  it('instances have their value, address and function', async () => {
    const run = await replayed(`#include <stdio.h>
static long shift(long value, char by) { return value << by; }
long stored;
int main(void) {
  stored = shift(-3, 40);
  printf("%ld %p\\n", stored, (void *)&stored);
  return 0;
}
`);
    const [, value, address] = run.argumentsOf(lastOutput(run));
    expect(BigInt.asIntN(64, value ?? 0n)).toBe(-3n << 40n);
    const stores = Array.from({ length: run.instances }, (_, at) => at).filter(
      (at) => run.instructionOf(at).op === 'store' && run.addressOf(at) === address,
    );
    expect(stores.map((at) => run.valueOf(at))).toEqual([value]);
    const parameters = Array.from({ length: run.instances }, (_, at) => at).filter(
      (at) => run.frame(run.frameOf(at))?.function === 'shift' && run.instructionOf(at).op === 'parameter',
    );
    expect(parameters.map((at) => BigInt.asIntN(64, run.valueOf(at) ?? 0n))).toEqual([-3n, 40n]);
    expect(run.instructionOf(run.frame(run.frameOf(parameters[0] ?? 0))?.call ?? 0).op).toBe('call');
  });

  it('float operations equal those of the machine', async () => {
    const program = await programs.build(`#include <math.h>
#include <stdio.h>
static union { double d; long bits; } u;
static union { float f; int bits; } v;
static void show(void) { printf("%d %d %d\\n", (int)u.bits, (int)(u.bits >> 32), v.bits); }
volatile double zero = 0.0, third = 1.0 / 3;
volatile float small = 1e-40f;
int main(void) {
  u.d = zero / zero; v.f = small * 3 - 7; show();
  u.d = -third * 1e308 * 10; v.f = (float)third / small; show();
  u.d = third + (unsigned char)200 % 7; v.f = (float)(third * third) + small; show();
  u.d = (double)0x7fffffffffffffff; v.f = (int)(third * 1e6); show();
  long double wide = third; wide = wide * 3 + 1; u.d = wide; show();
  __int128 huge = (__int128)0x123456789abcdef << 60; u.bits = (long)(huge >> 50); show();
  return u.bits == 0;
}
`);
    const end = programs.run(program);
    const run = await onlyReplay(end);
    expect(printed(run).map((numbers) => numbers.join(' '))).toEqual(end.stdout.split('\n').slice(0, -1));
  });

  it('values are traced through library functions', async () => {
    const source = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char from[16], to[16];
  char *text = malloc(8);
  strcpy(text, "12"); // *
  memcpy(from, text, 3); // *
  strcpy(to, from); // *
  int number = atoi(to); // *
  char *other = strdup("34");
  printf("%d\\n", number + 0 * other[0]);
  return 0;
}
`;
    const run = await replayed(source);
    expect(printed(run)).toEqual([[12]]);
    expect(dataLines(run, lastOutput(run))).toEqual(expect.arrayContaining([...marked(source, '*')]));
  });

  it('the call that wrote a value is its writer', async () => {
    const source = `#include <stdio.h>
int main(void) {
  char line[32];
  int number = 0;
  fgets(line, sizeof line, stdin); // *
  sscanf(line, "%d", &number); // *
  printf("%d\\n", number + line[0]); // *
  return 0;
}
`;
    const run = await replayed(source, [], '42\n');
    expect(printed(run)).toEqual([[42 + 0x34]]);
    expect(dataLines(run, lastOutput(run))).toEqual(expect.arrayContaining([...marked(source, '*')]));
  });

  it('uninitialized variables do not stop a replay', async () => {
    const program = await programs.build(`#include <stdio.h>
static int pick(int n) { int unset; int list[4]; if (n > 5) unset = n; list[0] = n; return unset + list[n & 3] * 0 + n; }
int main(void) { int s = 0; for (int i = 0; i < 9; i++) s = s * 3 + pick(i) % 7; printf("%d\\n", s); return 0; }
`);
    const end = programs.run(program);
    const run = await onlyReplay(end);
    expect(run.end).toEqual({ kind: 'end' });
    expect(printed(run).map(String)).toEqual([end.stdout.trim()]);
  });

  it('shownBy reads texts that are only reachable through constant tables', async () => {
    const run = await onlyReplay(
      programs.run(
        await programs.build(`#include <stdio.h>
struct entry { int number; const char *name; const char *const *others; };
static const char *const others[] = { "ten", "eleven" };
static const struct entry entries[] = { { 1, "one", 0 }, { 2, "two", others } };
int main(int count, char **words) {
  const char *names[] = { "a", "b" };
  puts(entries[count].name);
  puts(entries[count].others[count]);
  puts(names[count]);
  return 0;
}
`),
      ),
    );
    expect(run.outputs.flatMap((at) => run.shownBy(at).map(({ word }) => word))).toEqual([
      '"two"',
      '"eleven"',
      '"b"',
    ]);
  });
});
