import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CauseLines } from '../../src/explain/causes/cause-lines.js';
import { CauseSearch, type CauseTree, type FoundCause } from '../../src/explain/causes/cause-search.js';
import { ChangesOfInstances } from '../../src/explain/causes/changes-of-causes.js';
import { failurePoint } from '../../src/explain/causes/failure-point.js';
import { failurePredicate } from '../../src/explain/causes/failure-predicate.js';
import { Reasoner } from '../../src/symbolic/index.js';
import { withoutFault } from '../without-fault.js';
import { changeOf, runOf } from './run-of.js';

const signal = new AbortController().signal;
let reasoner: Reasoner;
beforeAll(async () => {
  reasoner = withoutFault(await Reasoner.open());
});
afterAll(() => reasoner.close());

/** The causes of a program's failure, by their lines, and the tree of the causes that lead to changed lines. */
async function causesOf(program: string, changed: readonly number[] = [], old?: string) {
  const { run, folder } = await runOf(program);
  const before = old === undefined ? undefined : (await runOf(old)).run;
  // Without an old version, all output before the end counts as correct.
  const failure = failurePoint(before, run);
  const ends = before === undefined ? run.outputs.at(-1) : undefined;
  if (failure === undefined) throw new Error('nothing was seen');
  const point =
    ends === undefined
      ? failure
      : { ...failure, at: ends, words: [run.calledOutside(ends) ?? ''], expected: undefined };
  const predicate = failurePredicate(run, point);
  if (predicate === undefined) throw new Error('it happens in any case');
  const changes = changed.map(changeOf);
  const lines = new CauseLines(run, folder);
  const search = new CauseSearch({
    ...{ run, reasoner, lines, signal },
    failure: predicate,
    at: point.at,
    changes: new ChangesOfInstances(changes, folder),
  });
  const found: FoundCause[] = [];
  for await (const cause of search.causes()) found.push(cause);
  const linesOf = ({ instances }: FoundCause): readonly number[] =>
    [...new Set(lines.of(instances).map(({ line }) => line))].toSorted((a, b) => a - b);
  return { found, causes: found.map(linesOf), tree: search.tree(changes) };
}

/** The paper's Fig. 6, with its line numbers. */
const figure6 = `_Bool sorted = 0;
void f(int x, int y, int z) {
  int sum = 0;
  if (!sorted) {
    if (x < y)
      sum += x;
    else sum += y;
  } else sum += x;
  if (z > 0)
    sum += (0 - z);
  else sum += z;
  __builtin_printf("sum=%d\\n", sum);
  if (!(sum == 4)) __builtin_abort();
}
int main(void) { f(3, 2, 1); return 0; }
`;

describe('the forcing statements of a failure', () => {
  it('are {2, 3, 7, 10, 13} in Fig. 6 of AFTER, then {2, 5} and {2, 9}', async () => {
    const { found, causes } = await causesOf(figure6);
    expect(causes[0]).toEqual([2, 3, 7, 10, 13]);
    expect(causes).toContainEqual([2, 5]);
    expect(causes).toContainEqual([2, 9]);
    expect(found.every(({ isForced }) => isForced)).toBe(true);
    // The predicates at 5 and 9 control the first cause, and the predicate at 4 controls the cause at 5.
    const linesOf = found.map(({ parent }) => parent && causes[found.indexOf(parent)]);
    expect(linesOf[causes.findIndex((lines) => lines.includes(5) && lines.length === 2)]).toEqual(causes[0]);
  });

  it('form the tree of Fig. 8: line 5 controls line 7, and line 10 passes the value on', async () => {
    const { tree } = await causesOf(figure6, [5, 10]);
    const shape = (cause: CauseTree): unknown => ({
      at: cause.at?.line,
      decides: cause.decides,
      changes: cause.changes.map(({ id }) => id),
      because: cause.because.map(shape),
    });
    expect(tree && shape(tree)).toEqual({
      at: 13,
      decides: 'failure',
      changes: [10],
      because: [{ at: 5, decides: 'whether', changes: [5], because: [] }],
    });
    const line = tree?.lines.find(({ line: at }) => at === 10);
    expect(line).toMatchObject({
      function: 'f',
      text: 'sum += (0 - z);',
      values: [
        { name: 'z', value: '1' },
        { name: 'sum', value: '1' },
      ],
    });
  });

  it('have the weakest preconditions of Fig. 7', async () => {
    const { tree } = await causesOf(figure6);
    expect(
      tree?.preconditions?.map(({ line, condition, isPossible }) => [line, condition, isPossible]),
    ).toEqual([
      [13, 'sum == 4', true],
      [10, 'sum - z == 4', true],
      [9, 'z > 0 && sum - z == 4', true],
      [7, 'z > 0 && sum + y - z == 4', true],
      [5, 'x >= y && z > 0 && sum + y - z == 4', true],
      [4, '!sorted && x >= y && z > 0 && sum + y - z == 4', true],
      [3, '!sorted && x >= y && z > 0 && y - z == 4', true],
      [2, '!sorted && 3 >= 2 && 1 > 0 && 2 - 1 == 4', false],
    ]);
  });

  const preconditionsOf = async (program: string) =>
    (await causesOf(program)).tree?.preconditions?.map(({ line, condition }) => [line, condition]);

  it('have preconditions with casts for narrowed values', async () => {
    const cut = (type: string, failing: string) => `int main(int argc, char **argv) {
  int x = argc + 260;
  ${type} c = x;
  long wide = c;
  short same = wide;
  if (${failing})
    __builtin_abort();
  return 0;
}
`;
    expect(await preconditionsOf(cut('char', 'same == 5'))).toEqual([
      [6, 'same != 5'],
      [5, '(short)wide != 5'],
      [4, 'c != 5'],
      [3, '(char)x != 5'],
      [2, '(char)(argc + 260) != 5'],
      [1, '(char)(1 + 260) != 5'],
    ]);
    const unsigned = await preconditionsOf(cut('unsigned char', 'wide > 4'));
    expect(unsigned?.at(1)).toEqual([4, 'c <= 4']);
    expect(unsigned?.at(2)).toEqual([3, '(unsigned char)x <= 4']);
  });

  it('have preconditions with the decision of a switch', async () => {
    const choosing = (kind: string, last: string) => `int main(int argc, char **argv) {
  int kind = ${kind};
  int y = argc + 1;
  switch (kind) {
  case 2: case 3: y += 1; break;
  case 4: __builtin_abort();
  default: y += 2;
  }
  if (y == ${last})
    __builtin_abort();
  return 0;
}
`;
    expect(await preconditionsOf(choosing('argc * 2', '3'))).toEqual([
      [9, 'y != 3'],
      [5, 'y + 1 != 3'],
      [4, '(kind == 2 || kind == 3) && y + 1 != 3'],
      [3, '(kind == 2 || kind == 3) && argc + 1 + 1 != 3'],
      [2, '((argc * 2) == 2 || (argc * 2) == 3) && argc + 1 + 1 != 3'],
      [1, '((1 * 2) == 2 || (1 * 2) == 3) && 1 + 1 + 1 != 3'],
    ]);
    expect((await preconditionsOf(choosing('argc * 9', '4')))?.at(2)).toEqual([
      4,
      'kind != 2 && kind != 3 && kind != 4 && y + 2 != 4',
    ]);
    expect((await preconditionsOf(choosing('argc * 4', '4')))?.[0]).toEqual([4, 'kind != 4']);
  });

  it('exclude a factor multiplied by zero and unused bits of a byte', async () => {
    const { causes } = await causesOf(`int main(int argc, char **argv) {
  int large = argc * 1000 + 7;
  int zero = argc - 1;
  int flags = large * zero + 4;
  if (flags & 4)
    __builtin_abort();
  return 0;
}
`);
    expect(causes[0]).toEqual([1, 3, 4, 5, 6]);
  });

  it('end at the branch that already implies the result', async () => {
    const { causes } = await causesOf(`int main(int argc, char **argv) {
  int x = argc * 3;
  if (x > 2) {
    if (x < 2)
      return 0;
    __builtin_abort();
  }
  return 1;
}
`);
    // For any x greater than 2, x is not less than 2.
    expect(causes[0]).toEqual([3, 4, 6]);
  });

  it('start at the expected output value', async () => {
    const program = (factor: number) => `#include <stdio.h>
int main(int argc, char **argv) {
  int other = argc + 5;
  int x = argc * ${factor};
  printf("%d %d\\n", other, x);
  return 0;
}
`;
    const { causes } = await causesOf(program(3), [], program(2));
    expect(causes[0]).toEqual([2, 4, 5]);
  });

  it('include the number of compared characters and the base of a parsed number', async () => {
    const compared = (call: string) => `#include <stdlib.h>
#include <string.h>
#include <strings.h>
int main(int argc, char **argv) {
  char a[8] = "abX", b[8] = "abY";
  int n = argc + 2;
  if (${call})
    abort();
  return 0;
}
`;
    for (const call of ['strncmp(a, b, n)', 'strncasecmp(a, b, n)', 'memcmp(a, b, n)', "memchr(a, 'X', n)"]) {
      const { causes } = await causesOf(compared(call));
      expect(causes[0], call).toEqual([4, 5, 6, 7, 8]);
    }
    const { causes } = await causesOf(compared('strtol("12", 0, n + 7) == 12'));
    expect(causes[0]).toContain(6);
  });

  it('include the strings that a string was built from', async () => {
    for (const call of ['sprintf(made,', 'snprintf(made, 16,']) {
      const { causes } = await causesOf(`#include <stdio.h>
int main(int argc, char **argv) {
  char name[8] = "ab", made[16];
  name[1] = 'a' + argc;
  ${call} "<%s %d>", name, argc);
  if (made[2] == 'b')
    __builtin_abort();
  return 0;
}
`);
      expect(causes[0]).toEqual(expect.arrayContaining([4, 5, 6]));
    }
  });

  it('continue at the calls that led to the failure', async () => {
    const { tree } = await causesOf(
      `static void fail(void) {
  __builtin_abort();
}
int main(int argc, char **argv) {
  if (argc == 1)
    fail();
  return 0;
}
`,
      [6],
    );
    expect(tree?.changes.concat(tree.because.flatMap(({ changes }) => changes)).map(({ id }) => id)).toEqual([
      6,
    ]);
  });
});
