import { describe, expect, it } from 'vitest';
import { CauseWalk } from '../../src/explain/causes/cause-levels.js';
import { CauseLines } from '../../src/explain/causes/cause-lines.js';
import { ChangesOfInstances } from '../../src/explain/causes/changes-of-causes.js';
import { failurePoint } from '../../src/explain/causes/failure-point.js';
import { failurePredicate } from '../../src/explain/causes/failure-predicate.js';
import { missedDecision } from '../../src/explain/causes/missed-decision.js';
import { changeOf, runOf } from './run-of.js';

/** The lines of each level, starting at the first visible failure. */
async function levelsOf(program: string): Promise<readonly (readonly number[])[]> {
  const { run, folder } = await runOf(program);
  const failure = failurePoint(undefined, run);
  if (failure === undefined) throw new Error('nothing was seen');
  return [...new CauseWalk(run, failure.at).levels()].map((level) =>
    [...new Set(level.flatMap((instance) => run.lineOf(instance, folder)?.line ?? []))].toSorted(
      (a, b) => a - b,
    ),
  );
}

describe('the causes of a failure', () => {
  it('include the statements and then the predicates of the paper’s Fig. 6', async () => {
    const levels = await levelsOf(
      `_Bool sorted = 0;
int f(int x, int y, int z) {
  int sum = 0;
  if (!sorted) {
    if (x < y)
      sum += x;
    else sum += y;
  } else sum += x;
  if (z > 0)
    sum += (0 - z);
  else sum += z;
  return sum;
}
int main(void) {
  return f(3, 2, 1) != 4;
}
`,
    );
    // The cause {2, 3, 7, 10, 13} of the paper. Lines 12 and 15 replace its assertion at 13, and line 15 the
    // arguments at 2.
    expect(levels[0]).toEqual([3, 7, 10, 12, 15]);
    expect(levels[1]).toEqual(expect.arrayContaining([5, 9]));
    expect(levels[0]).not.toContain(5);
    expect(levels.slice(2).flat()).toContain(4);
  });

  it('include both critical predicates {2, 3} of the paper’s Fig. 5', async () => {
    const levels = await levelsOf(
      `int main(void) {
  int a = 2, b = 1, c = 1, d = 0;
  if (a > 0) {
    if (b < 0)
      if (c != 2)
        c = 2;
    d = c + 3;
  }
  return d != 5;
}
`,
    );
    // One line later than in the paper. The predicate at line 5 is not executed, so it is no cause.
    expect(levels[0]).toEqual(expect.arrayContaining([2, 7, 9]));
    expect(levels[0]).not.toContain(3);
    expect(levels[1]).toEqual(expect.arrayContaining([3, 4]));
    expect(levels.flat()).not.toContain(5);
  });

  it('include the operands of conditional expressions', async () => {
    const [level] = await levelsOf(
      `int main(int argc, char **argv) {
  int big = argc * 4;
  int other = argc * 5;
  int x = big > 3 ? 1 : 2;
  int y = argc == 1 && other > 4;
  return x + y;
}
`,
    );
    expect(level).toEqual(expect.arrayContaining([2, 3, 4, 5, 6]));
  });

  it('include the statements that compute a printed string', async () => {
    const [level] = await levelsOf(
      `#include <stdio.h>
int main(int argc, char **argv) {
  char text[4] = "ab";
  text[1] = 'a' + argc;
  printf("<%s>", text);
  return 0;
}
`,
    );
    expect(level).toEqual(expect.arrayContaining([3, 4, 5]));
  });

  it('include initializers of variables that are never assigned', async () => {
    const { run, folder } = await runOf(
      `static const int table[] = {
  1, 2, /* ; */
  3,
};
static int unused = 4;
int main(int argc, char **argv) {
  return table[argc + 1];
}
`,
    );
    const changes = [1, 3, 5].map((line) => changeOf(line));
    const [level = []] = [...new CauseWalk(run, failurePoint(undefined, run)?.at ?? -1).levels()];
    const found = [...new ChangesOfInstances(changes, folder).of(run, level).keys()].map(({ id }) => id);
    expect(found).toEqual([1, 3]);
  });

  it('include removed conditions of the executed branch', async () => {
    const { run, folder } = await runOf(
      `int main(int argc, char **argv) {
  int x = 0;
  if (argc > 5)
    x = 1;
  else
    {
      /* Here was another condition. */
      x = 2;
    }
  return x;
}
`,
    );
    const gone = { ...changeOf(6), id: 6, new: { from: 8, to: 7 } };
    const changes = [changeOf(5), gone, changeOf(3)].map((change) => ({ ...change, within: 'main' }));
    const [first = []] = [...new CauseWalk(run, failurePoint(undefined, run)?.at ?? -1).levels()];
    const found = [...new ChangesOfInstances(changes, folder).of(run, first).keys()].map(({ id }) => id);
    expect(found.toSorted()).toEqual([5, 6]);
  });

  it('reach the failure through a chain of lines', async () => {
    const { run, folder } = await runOf(
      `static int twice(int x) {
  return x * 2;
}
int main(void) {
  int a = 3;
  int b = twice(a);
  return b;
}
`,
    );
    const failure = failurePoint(undefined, run)?.at ?? -1;
    const walk = new CauseWalk(run, failure);
    const met = [...walk.levels()].flat();
    const first = met.find((instance) => run.lineOf(instance, folder)?.line === 5) ?? -1;
    const lines = new CauseLines(run, folder).of(walk.chainFrom(first));
    expect(lines.map(({ line }) => line)).toEqual([5, 6, 1, 2, 6, 7]);
    expect(lines.at(-1)).toMatchObject({ file: 'main.c', function: 'main', text: 'return b;' });
  });

  it('start at the first output that differs from the old version', async () => {
    const program = (text: string) =>
      `#include <stdio.h>\nint main(void) {\n  puts("same");\n  puts("${text}");\n  return 0;\n}\n`;
    const [old, next] = [await runOf(program('old')), await runOf(program('new'))];
    expect(failurePoint(old.run, next.run)).toMatchObject({ does: 'puts("new")', instead: 'puts("old")' });
    expect(failurePoint(old.run, old.run)).toBeUndefined();
  });

  it('include the memory access behind a handled signal', async () => {
    const program = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void caught(int sig) {
  if (sig == SIGSEGV)
    puts("internal error");
  exit(2);
}
int main(int argc, char **argv) {
  (void)argv;
  signal(SIGSEGV, caught);
  int *place = argc > 1 ? &argc : 0;
  int unrelated = argc;
  return *place + unrelated;
}
`;
    const met = (await levelsOf(program)).flat();
    expect(met).toEqual(expect.arrayContaining([5, 6, 12, 14]));
    expect(met).not.toContain(13);
    const { run } = await runOf(program);
    const catching = run.frame(run.frameOf(run.outputs[0] ?? -1));
    expect(run.instructionOf(catching?.call ?? -1).op).toBe('load');
    expect(run.valueOf(catching?.call ?? -1)).toBeUndefined();
  });

  it('are not searched beyond the recorded part of a run', async () => {
    const program = (text: string, times: number) => `#include <stdio.h>
int main(void) {
  puts("${text}");
  for (volatile int at = 0; at < ${times}; at++);
  puts("last");
  return 0;
}
`;
    const whole = await runOf(program('same', 1));
    const [cut, other] = [
      await runOf(program('same', 9999), 1000),
      await runOf(program('other', 9999), 1000),
    ];
    expect(cut.run.end.kind).toBe('limit');
    expect(failurePoint(cut.run, whole.run)).toBeUndefined();
    expect(failurePoint(cut.run, cut.run)).toBeUndefined();
    expect(failurePoint(whole.run, other.run)).toMatchObject({ does: 'puts("other")' });
    expect(failurePoint(cut.run, other.run)).toMatchObject({
      does: 'puts("other")',
      instead: 'puts("same")',
    });
  });

  it('start at the endless loop if the program never reaches the old output', async () => {
    const program = (step: number) => `#include <stdio.h>
int main(void) {
  int count = 0, other = 0;
  while (count < 20000) {
    count += ${step};
    other++;
  }
  puts("last");
  return 0;
}
`;
    const whole = await runOf(program(20_000));
    const stuck = await runOf(program(1), 10_000);
    const failure = failurePoint(whole.run, stuck.run);
    expect(failure).toMatchObject({ instead: 'puts("last")', isStuck: true });
    expect(failure?.does).toMatch(/^no visible output for [\d,]+ instructions$/);
    const met = [...new CauseWalk(stuck.run, failure?.at ?? 0).levels()].flat();
    const lines = new Set(met.map((at) => stuck.run.lineOf(at, stuck.folder)?.line));
    expect([...lines]).toEqual(expect.arrayContaining([3, 4, 5]));
    const { at = 0 } = (failure && failurePredicate(stuck.run, failure)) ?? {};
    expect(stuck.run.lineOf(at, stuck.folder)?.line).toBe(4);
  });

  it('start at the decision that skips an expected output', async () => {
    const program = (limit: number, comment: string) => `#include <stdio.h>${comment}
static int isFit(int n) {
  if (n > ${limit})
    return 0;
  return 1;
}
int main(int argc, char **argv) {
  if (!isFit(argc * 5)) {
    fprintf(stderr, "unfit");
    return 1;
  }
  puts("done");
  return 0;
}
`;
    const [old, next] = [await runOf(program(4, '')), await runOf(program(40, '\n\n'))];
    const failure = failurePoint(old.run, next.run);
    const missed = missedDecision(
      { run: old.run, source: old.folder },
      failure?.expectedAt ?? -1,
      { run: next.run, source: next.folder },
      failure?.at ?? -1,
    );
    expect(next.run.lineOf(missed ?? -1, next.folder)?.line).toBe(10);
    const lines = [...new CauseWalk(next.run, missed ?? -1).levels()].map((level) =>
      level.map((instance) => next.run.lineOf(instance, next.folder)?.line),
    );
    expect(lines[0]).toContain(7);
    expect(lines[1]).toContain(5);
  });

  it('start at the first different number of any size', async () => {
    const program = (number: number) =>
      `#include <stdio.h>\nint main(void) {\n  printf("%u\\n", 70000u);\n  printf("%u\\n", ${number}u);\n  return 0;\n}\n`;
    const [old, next] = [await runOf(program(80_000)), await runOf(program(90_000))];
    expect(failurePoint(old.run, next.run)).toMatchObject({ does: 'printf("%u\\n", 90000)' });
    expect(failurePoint(old.run, old.run)).toBeUndefined();
  });

  describe('of a program that prints floats', () => {
    const program = (number: string, code = '0') => `#include <stdio.h>
int main(int argc, char **argv) {
  double x = ${number};
  printf("%f\\n", argc * 1.5);
  printf("%.1f of %d\\n", x, 1);
  return ${code};
}
`;

    it('start at the first different float, for any exit code', async () => {
      const [old, next] = [await runOf(program('argc * 2.0')), await runOf(program('argc * -0.5', '3'))];
      expect(failurePoint(old.run, old.run)).toBeUndefined();
      const failure = failurePoint(old.run, next.run);
      expect(failure).toMatchObject({
        does: 'printf("%.1f of %d\\n", -0.5, 1)',
        instead: 'printf("%.1f of %d\\n", 2.0, 1)',
      });
      const predicate = failure && failurePredicate(next.run, failure);
      expect(predicate?.uses.map((at) => next.run.lineOf(at, next.folder)?.line)).toEqual([5]);
    });

    it('distinguish floats by value and sign of zero', async () => {
      const [old, next] = [await runOf(program('argc * 1.0')), await runOf(program('argc * -0.0'))];
      const failure = failurePoint(old.run, next.run);
      expect(failure).toMatchObject({ does: 'printf("%.1f of %d\\n", -0.0, 1)' });
      expect(failure && failurePredicate(next.run, failure)).not.toHaveProperty('wanted');
      const zero = await runOf(program('argc * 0.0'));
      expect(failurePoint(old.run, zero.run)).toMatchObject({ does: 'printf("%.1f of %d\\n", 0.0, 1)' });
    });
  });

  it('start at the end of the program if it crashes or returns another value', async () => {
    const one = await runOf('int main(void) { return 1; }\n');
    const two = await runOf('int main(void) { return 2; }\n');
    expect(failurePoint(one.run, two.run)).toMatchObject({ does: 'return(2)', instead: 'return(1)' });
    const dead = await runOf('#include <stdlib.h>\nint main(void) { int *p = 0; *p = 1; return 0; }\n');
    expect(failurePoint(one.run, dead.run)).toMatchObject({ does: 'signal 11' });
  });

  describe('of a program that starts another program', () => {
    const handing = (spaces: string, shown = '"the same"'): string => `#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char line[64];
static void fill(const char *from) {
  char *to = line;
  for (; *from != 0; from++) {
    if (*from == ' ' && ${spaces})
      continue;
    *to++ = *from;
  }
}
int main(void) {
  fill("echo a  b");
  char *words[] = { "sh", "-c", line, 0 };
  puts(${shown});
  if (vfork() == 0) { execv("/bin/sh", words); _exit(127); }
  wait(0);
  return 0;
}
`;
    const pointOf = async (old: string, next: string) => {
      const [before, { run, folder }] = [await runOf(old), await runOf(next)];
      return { run, folder, failure: failurePoint(before.run, run) };
    };

    it('start at the characters of its arguments', async () => {
      const { run, folder, failure } = await pointOf(handing("to[-1] == ' '"), handing('0'));
      if (failure === undefined) throw new Error('nothing was seen');
      expect(failure.does).toBe('execv("/bin/sh", "sh", "-c", "echo a  b")');
      expect(failure.instead).toBe('execv("/bin/sh", "sh", "-c", "echo a b")');
      const line = (at: number) => run.lineOf(at, folder)?.line;
      const levels = [...new CauseWalk(run, failure.at).levels()].map((level) => level.map(line));
      // Line 11 writes the character, and line 9 decides about it.
      expect(levels[0]).toContain(11);
      expect(levels[1]).toContain(9);
      const predicate = failurePredicate(run, failure);
      expect(predicate?.uses.map(line)).toEqual([11]);
    });

    it("start at an earlier difference in the program's own output", async () => {
      const { failure } = await pointOf(handing("to[-1] == ' '"), handing('0', '"something else"'));
      expect(failure?.does).toBe('puts("something else")');
    });
  });
});
