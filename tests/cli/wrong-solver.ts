/** A repository of a solver that answers some formulas wrongly and crashes on others, and reference solvers. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilers } from '../coverage/compiled.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { writeSolver } from '../stand-in-solver.js';

/** Together they imitate a Z3 that is wrong on str.contains with a nonempty string. */
export const sources = {
  'main.c': `#include <stdio.h>
#include <string.h>
int contains(const char *text);
int others(const char *text);
int main(int argc, char **argv) {
  static char text[65536];
  if (argc > 1 && strcmp(argv[1], "--version") == 0) return puts("Z3 version 4.13.0 - 64 bit") < 0;
  text[fread(text, 1, sizeof text - 1, stdin)] = 0;
  if (strstr(text, "crash")) __builtin_trap();
  if (strstr(text, "verify"))
    fputs("ASSERTION VIOLATION\\nFile: ../others.c\\nLine: 2\\nFailed to verify: text[0]\\n", stderr);
  int isSat = strstr(text, "str.contains") ? contains(text) : others(text);
  return puts(isSat ? "sat" : "unsat") < 0;
}
`,
  'contains.c': `#include <string.h>
int contains(const char *text) {
  if (strstr(text, "\\"b\\"")) {
    int wrong = 0;
    return wrong;
  }
  return 1;
}
`,
  'others.c': 'int others(const char *text) {\n  return text[0] != 0;\n}\n',
};

/** A formula with two strings and one assertion. */
export const formula = (assertion: string): string =>
  `(declare-fun a () String)(declare-fun c () String)(assert ${assertion})(check-sat)\n`;

/**
 * Creates `solver`, a repository with a wrong `main`; `culprit.json` with its recipe; `right` and `silent`, which
 * answer sat and unknown to everything; and the formulas `wrong.smt2`, `fine.smt2` and `crash.smt2`.
 */
export function makeWrongSolver(folder: string): void {
  const repository = join(folder, 'solver');
  initRepository(repository);
  commitFiles(
    repository,
    { ...sources, 'others.c': sources['others.c'].replace('text[0] != 0', '1') },
    'a solver',
  );
  commitFiles(repository, sources, 'others look');
  const objects = ['main', 'contains', 'others'];
  const builder = {
    repository: 'solver',
    build: ['$CC *.c -o "$CULPRIT_BUILD/z3"'],
    coverage: [
      ...objects.map((name) => `$CC $CULPRIT_COVERAGE_FLAGS -c ${name}.c -o "$CULPRIT_BUILD/${name}.o"`),
      `$CC ${objects.map((name) => `"$CULPRIT_BUILD/${name}.o"`).join(' ')} $CULPRIT_COVERAGE_LINK -o "$CULPRIT_BUILD/z3"`,
    ],
    binary: '$CULPRIT_BUILD/z3',
  };
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders: { own: builder } }));
  const banner = 'Z3 version 4.14.0 - 64 bit';
  writeSolver(join(folder, 'right'), { banner });
  writeSolver(join(folder, 'silent'), { banner, answers: ['unknown'] });
  writeFileSync(join(folder, 'wrong.smt2'), formula('(str.contains a "b")'));
  writeFileSync(join(folder, 'fine.smt2'), formula('(= a "b")'));
  writeFileSync(join(folder, 'crash.smt2'), '(declare-fun crash () Bool)(assert crash)(check-sat)\n');
}

/** The folder of the builds. */
export function besideWrongSolver(folder: string): { cwd: string; env: Record<string, string> } {
  const [compiler] = compilers();
  return { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache'), CC: compiler?.c ?? 'cc' } };
}
