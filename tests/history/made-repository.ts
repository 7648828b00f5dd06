/** Generates a repository for tests: a tiny C program that prints the work of each case, commit by commit. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, initRepository } from '../git-repository.js';

export interface MadeCommit {
  /** The work of each case. */
  readonly levels: readonly number[];
  readonly isBroken?: boolean;
  readonly subject?: string;
  /** Commits of a merged branch; `levels` are those of the merge. */
  readonly merges?: readonly MadeCommit[];
  /** How many commits before the merge the branch starts. */
  readonly leftBefore?: number;
}

/** Adds this much noise in percent, different for each run. */
function program({ levels, isBroken = false }: MadeCommit, noisePercent: number): string {
  return `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static const double levels[] = { ${levels.join(', ')} };
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  srand((unsigned)now.tv_nsec);
  double noise = 1 + ${noisePercent / 100} * (2.0 * rand() / RAND_MAX - 1);
  printf("%f\\n", levels[atoi(argv[1])] * noise);
  return 0;
}
${isBroken ? 'this does not compile\n' : ''}`;
}

export interface Made {
  readonly path: string;
  /** The ids of the main line, oldest first. */
  readonly line: readonly string[];
  /** The ids of merged branches, by the merge's number on the line. */
  readonly sides: ReadonlyMap<number, readonly string[]>;
}

/** Uses git fast-import, which creates hundreds of commits in a fraction of a second. */
export function makeRepository(path: string, commits: readonly MadeCommit[], noisePercent = 0): Made {
  initRepository(path);
  const parts: string[] = [];
  let mark = 0;
  const time = (): string => `${1_600_000_000 + 60 * mark} +0000`;
  const add = (commit: MadeCommit, ref: string, parents: readonly number[]): number => {
    mark++;
    const [first, ...merged] = parents;
    const subject = commit.subject ?? `change ${mark}`;
    const text = program(commit, noisePercent);
    parts.push(
      `commit ${ref}\nmark :${mark}\ncommitter Someone <someone@example.org> ${time()}\n` +
        `data ${Buffer.byteLength(subject)}\n${subject}\n` +
        (first === undefined ? '' : `from :${first}\n`) +
        merged.map((parent) => `merge :${parent}\n`).join('') +
        `M 644 inline solver.c\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
    return mark;
  };
  const line: number[] = [];
  const sides = new Map<number, readonly number[]>();
  for (const [at, commit] of commits.entries()) {
    const last = line.at(-1);
    const parents = last === undefined ? [] : [last];
    if (commit.merges !== undefined) {
      let tip = line[at - (commit.leftBefore ?? 1)] as number;
      const side: number[] = [];
      for (const inner of commit.merges) {
        tip = add(inner, `refs/heads/side-${at}`, [tip]);
        side.push(tip);
      }
      sides.set(at, side);
      line.push(add(commit, 'refs/heads/main', [...parents, tip]));
    } else line.push(add(commit, 'refs/heads/main', parents));
  }
  const marks = join(path, '.git', 'marks');
  gitIn(path, ['fast-import', '--quiet', `--export-marks=${marks}`], parts.join(''));
  const ids = new Map(
    readFileSync(marks, 'utf8')
      .trim()
      .split('\n')
      .map((row) => row.split(' ') as [string, string])
      .map(([name, id]) => [Number(name.slice(1)), id]),
  );
  const idOf = (number: number): string => ids.get(number) as string;
  return {
    path,
    line: line.map(idOf),
    sides: new Map([...sides].map(([at, side]) => [at, side.map(idOf)])),
  };
}

export const recipe = {
  build: ['cc -o "$CULPRIT_BUILD/solver" solver.c'],
  binary: '$CULPRIT_BUILD/solver',
  env: {},
  memoryMegabytes: 64,
  minutes: 1,
  patches: [],
  resumable: false,
};
