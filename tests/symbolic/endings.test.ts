import { afterAll, describe, expect, it } from 'vitest';
import { onlyReplay, printed, TracedPrograms } from './traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());

/** The end of a program and of its replay, with the last instruction. */
async function endOf(body: string) {
  const program = await programs.build(`#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int *nothing, zero;
int deep(int n) { volatile char room[4096]; room[0] = n; return n < 0 ? 0 : deep(n + 1) + room[0]; }
int main(void) {
  printf("%d\\n", 1);
  fflush(stdout);
${body}
  printf("%d\\n", 2);
  return 3;
}
`);
  const { status, signal, ...traced } = programs.run(program);
  const run = await onlyReplay({ status, signal, ...traced });
  const last = run.instances - 1;
  return { status, signal, end: run.end, line: run.lineOf(last)?.line, op: run.instructionOf(last).op, run };
}

describe('the end of a replay', () => {
  it('a replay ends with the return from main', async () => {
    const { status, end, run } = await endOf('');
    expect(status).toBe(3);
    expect(end).toEqual({ kind: 'end' });
    expect(printed(run)).toEqual([[1], [2]]);
    expect(run.valueOf(run.instances - 1)).toBe(3n);
  });

  it.each(['exit(4);', '_exit(4);'])('a replay ends with %s', async (call) => {
    const { status, line, end, op } = await endOf(call);
    expect(status).toBe(4);
    expect([line, op]).toEqual([11, 'call']);
    expect(end).toEqual({ kind: 'end' });
  });

  it.each([
    ['reading where nothing is', 'zero = *nothing;', 'SIGSEGV', 11, 'load'],
    ['writing where nothing is', '*nothing = 5; zero = 1;', 'SIGSEGV', 11, 'store'],
    ['dividing by zero', 'zero = 7 / zero;', 'SIGFPE', 8, 'binary'],
    ['abort', 'abort();', 'SIGABRT', 6, 'call'],
    ['a failed assertion', 'assert(zero);', 'SIGABRT', 6, 'call'],
    ['calling what is no function', '((void (*)(void))nothing)();', 'SIGSEGV', 11, 'call'],
  ])('a replay ends with the signal of %s', async (_, body, signal, number, op) => {
    const { signal: seen, end, line, op: last } = await endOf(body);
    expect(seen).toBe(signal);
    expect(end).toMatchObject({ kind: 'signal', signal: number });
    expect([line, last]).toEqual([11, op]);
  });

  it('a replay ends at the point at which the program was killed', async () => {
    const { signal, end, line } = await endOf('kill(getpid(), SIGKILL);');
    expect(signal).toBe('SIGKILL');
    expect(end).toEqual({ kind: 'end' });
    expect(line).toBe(11);
  });

  it('a signal from another process ends a traced program like an untraced one', async () => {
    const { signal, end } = await endOf('kill(getpid(), SIGSEGV);');
    expect(signal).toBe('SIGSEGV');
    expect(end).toMatchObject({ kind: 'signal', signal: 11 });
  });

  it('a replay ends at the stack overflow', async () => {
    const { signal, run } = await endOf('zero = deep(0);');
    expect(signal).toBe('SIGSEGV');
    expect(run.end.kind).not.toBe('divergence');
    expect(run.frame(run.frameOf(run.instances - 1))?.function).toBe('deep');
  });
});
