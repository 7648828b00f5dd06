/** 512 commits, 60 cases, 10 culprits: single steps, several steps, up-down-up, broken commits, a merge. */

import type { Made, MadeCommit } from '../history/made-repository.js';

const length = 512;
const mergeAt = 333;
/** The culprit that a merge brings in is the second commit of the branch. */
const sideLength = 4;
const sideCulprit = 1;

/** Ten culprits on the mainline; the merge stands for the culprit on its branch. */
const culprits = [23, 88, 131, 177, 240, 290, mergeAt, 391, 440, 490] as const;

type Changes = Readonly<Record<number, number>>;

/**
 * Fifty cases with one step over seven culprits, five with several steps, and five that become slow, fast and slow
 * again.
 */
const cases: readonly Changes[] = [
  ...Array.from({ length: 50 }, (_, i): Changes => {
    const at = culprits[[0, 2, 3, 5, 6, 7, 9][i % 7] as number] as number;
    return { [at]: 600 + 37 * i };
  }),
  { [culprits[1]]: 400, [culprits[4]]: 900 },
  { [culprits[1]]: 500, [culprits[4]]: 1000, [culprits[8]]: 1600 },
  { [culprits[0]]: 300, [culprits[8]]: 700 },
  { [culprits[2]]: 450, [culprits[6]]: 900 },
  { [culprits[3]]: 500, [culprits[9]]: 1000 },
  { [culprits[1]]: 900, [culprits[4]]: 20, [culprits[8]]: 1100 },
  { [culprits[0]]: 700, [culprits[3]]: 25, [culprits[7]]: 800 },
  { [culprits[2]]: 1200, [culprits[5]]: 30, [culprits[9]]: 1000 },
  { [culprits[1]]: 600, [culprits[5]]: 20, [culprits[8]]: 700 },
  { [culprits[3]]: 800, [culprits[6]]: 20, [culprits[9]]: 900 },
];

/** A tenth of the commits does not build, but the culprits and the commits around them do. */
function isBroken(at: number): boolean {
  return at % 10 === 5 && !culprits.some((culprit) => Math.abs(culprit - at) <= 1) && at !== length - 1;
}

function levelAt(changes: Changes, at: number): number {
  const [last] = Object.keys(changes)
    .map(Number)
    .filter((change) => change <= at)
    .toSorted((a, b) => b - a);
  return last === undefined ? 20 : (changes[last] as number);
}

export function longHistory(): MadeCommit[] {
  return Array.from({ length }, (_, at): MadeCommit => {
    const levels = cases.map((changes) => levelAt(changes, at));
    if (at !== mergeAt) return { levels, isBroken: isBroken(at) };
    const merges = Array.from({ length: sideLength }, (_side, i) => ({
      levels: cases.map((changes) => levelAt(changes, i < sideCulprit ? at - 1 : at)),
    }));
    return { levels, merges, leftBefore: 3 };
  });
}

/** The commits that a bisection must find for a case; for the merge, the commit on its branch. */
export function planted(made: Made, number: number): readonly string[] {
  return Object.keys(cases[number] as Changes)
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((at) =>
      at === mergeAt ? (made.sides.get(mergeAt)?.[sideCulprit] as string) : (made.line[at] as string),
    );
}
