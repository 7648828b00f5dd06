/** Synthetic explanations: AFTER's Fig. 6, and one with untrusted texts. */

import type { CauseLine, CauseTree, Change, ExplainSettings, Explanation } from '../../src/explain/index.js';
import type { ExplanationView } from '../../src/report/index.js';

const settings: ExplainSettings = {
  format: 1,
  job: 'explain',
  culprit: '1.2.3',
  old: { kind: 'folder', path: '/home/somebody/tool-1.0' },
  new: { kind: 'commit', repository: '/home/somebody/tool', id: 'a'.repeat(40), named: 'v1.1' },
  build: 'make -j2 CFLAGS=-g',
  test: './tool in.txt | cmp - expected.txt',
  strategy: 'culprit',
  buildLimitMs: 1_800_000,
  testLimitMs: 60_000,
  treeLimitMs: 60_000,
  repeats: 3,
  only: [],
};

const text = `#include <stdio.h>

_Bool sorted = 0;
void f(int x, int y, int z) {
  int sum = 0;
  if (!sorted) {
    if (x < y)
      sum += x;
    else
      sum += y;
  } else
    sum += x;
  if (z > 0)
    sum += (0 - z);
  else
    sum += z;
  printf("sum=%d\\n", sum);
}`.split('\n');

const line = (number: number, values: Readonly<Record<string, string>>, file = 'src/main.c'): CauseLine => ({
  file,
  line: number,
  function: 'f',
  text: (text[number - 1] ?? `call_number_${number} (with, some, arguments);`).trim(),
  values: Object.entries(values).map(([name, value]) => ({ name, value })),
});

const change = (id: number, number: number, old: string, next: string, file = 'src/main.c'): Change => ({
  id,
  file,
  old: { from: number, to: number },
  new: { from: number, to: number },
  oldLines: [`${old}\n`],
  newLines: [`${next}\n`],
  within: 'f',
});

const [second, third] = [
  change(1, 7, '    if (x > y)', '    if (x < y)'),
  change(2, 14, '    sum += z;', '    sum += (0 - z);'),
];

const otherFile = 'lib/a_folder_with_a_rather_long_name/read_arguments_of_the_command_line.c';
const otherLines = Array.from(
  { length: 60 },
  (_, at) => `  call_number_${at + 100} (with, some, arguments);`,
);

function tree(): CauseTree {
  return {
    at: line(17, {}),
    decides: 'failure',
    isForced: true,
    lines: [
      line(4, { y: '2', z: '1' }),
      line(5, { sum: '0' }),
      line(10, { y: '2', sum: '2' }),
      line(14, { z: '1', sum: '1' }),
      line(17, { sum: '1' }),
    ],
    changes: [third],
    because: [
      {
        at: line(7, {}),
        decides: 'whether',
        isForced: true,
        lines: [line(4, { x: '3', y: '2' }), line(7, { x: '3', y: '2' })],
        changes: [second],
        because: [
          {
            at: line(120, {}, otherFile),
            decides: 'what',
            isForced: false,
            lines: Array.from({ length: 55 }, (_, at) =>
              line(100 + at, { argument: `${at}`, a_pointer_to_it: '0x7ffd5f3a10c0' }, otherFile),
            ),
            changes: [],
            because: [],
          },
        ],
      },
    ],
  };
}

const patch = `diff --git a/src/main.c b/src/main.c
--- a/src/main.c
+++ b/src/main.c
@@ -11,7 +11,7 @@
   } else
     sum += x;
   if (z > 0)
-    sum += (0 - z);
+    sum += z;
   else
     sum += z;
   printf("sum=%d\\n", sum);
`;

export function madeExplanation(more: Partial<Explanation> = {}): ExplanationView {
  return {
    settings,
    explanation: {
      changes: 708,
      blamed: [
        { ...third, chain: [line(14, {}), line(17, {})], stays: false },
        { ...second, chain: [line(7, {}), line(17, {})], stays: true },
      ],
      auxiliary: [change(3, 4, 'void f(int x, int y) {', 'void f(int x, int y, int z) {')],
      carriers: [change(4, 10, '      sum = y;', '      sum += y;')],
      causes: {
        does: `printf("usage: %s [options] [file ...]\\n%s", …, "${'  -h  --help  print this usage and exit\\n'.repeat(8)}")`,
        instead: 'printf("sum=%d\\n", 4)',
        at: 'src/main.c:17',
        levels: [1, 2],
      },
      tree: tree(),
      reasoning: { causes: 3, questions: 14, solverMs: 321 },
      effort: { builds: 9, tests: 4 },
      patch,
      isRepaired: true,
      sources: [
        { file: 'src/main.c', parts: [{ from: 1, lines: text }] },
        {
          file: otherFile,
          parts: [
            { from: 1, lines: ['/* Arguments. */'] },
            { from: 100, lines: otherLines },
          ],
        },
      ],
      notes: ['files that are not text differ and are not reverted: logo.png'],
      ...more,
    },
  };
}

/** An explanation with the same text everywhere. */
export function explanationSaying(words: string): ExplanationView {
  const said: CauseLine = {
    file: words,
    line: 1,
    function: words,
    text: words,
    values: [{ name: words, value: words }],
  };
  const made: Change = {
    ...change(0, 1, words, words, words),
    within: words,
  };
  return {
    settings: {
      ...settings,
      culprit: words,
      old: { kind: 'folder', path: words },
      new: { kind: 'commit', repository: words, id: words, named: words },
      build: words,
      test: words,
      only: [words],
    },
    explanation: {
      changes: 1,
      blamed: [{ ...made, chain: [said, said], stays: false }],
      auxiliary: [made],
      carriers: [made],
      causes: { does: words, instead: words, at: words, levels: [1] },
      tree: { at: said, decides: 'failure', isForced: true, lines: [said], changes: [], because: [] },
      reasoning: { causes: 1, questions: 1, solverMs: 1 },
      executed: 1,
      effort: { builds: 1, tests: 1 },
      patch: words,
      isRepaired: false,
      sources: [{ file: words, parts: [{ from: 1, lines: [words] }] }],
      notes: [words],
    },
  };
}
