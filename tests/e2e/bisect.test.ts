/** 512 commits, 60 cases, 10 culprits: one step, several, up-down-up, noise, broken commits, a merge. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Bisection, type BisectPlan, bisect } from '../../src/history/bisect.js';
import { Builds } from '../../src/history/builds.js';
import { CommandMeasurer } from '../../src/history/measurer.js';
import { Repository } from '../../src/history/repository.js';
import { Fault } from '../../src/solver/fault.js';
import { type Made, type MadeCommit, makeRepository, recipe } from '../history/made-repository.js';

const length = 512;
const mergeAt = 333;
/** The culprit that a merge brings in is the second commit of the branch. */
const sideLength = 4;
const sideCulprit = 1;

/** Ten culprits on the line; the merge's stands for what it brings in. */
const culprits = [23, 88, 131, 177, 240, 290, mergeAt, 391, 440, 490] as const;

type Changes = Readonly<Record<number, number>>;

/** Fifty with one step over seven culprits, five with several, five that go up, down and up again. */
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

/** A tenth does not build; the culprits and the commits around them do. */
function isBroken(at: number): boolean {
  return at % 10 === 5 && !culprits.some((one) => Math.abs(one - at) <= 1) && at !== length - 1;
}

function levelAt(changes: Changes, at: number): number {
  const [last] = Object.keys(changes)
    .map(Number)
    .filter((one) => one <= at)
    .toSorted((a, b) => b - a);
  return last === undefined ? 20 : (changes[last] as number);
}

function commits(): MadeCommit[] {
  return Array.from({ length }, (_, at): MadeCommit => {
    const levels = cases.map((changes) => levelAt(changes, at));
    if (at !== mergeAt) return { levels, isBroken: isBroken(at) };
    const merges = Array.from({ length: sideLength }, (_side, i) => ({
      levels: cases.map((changes) => levelAt(changes, i < sideCulprit ? at - 1 : at)),
    }));
    return { levels, merges, leftBefore: 3 };
  });
}

const folder = mkdtempSync(join(tmpdir(), 'bisect-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));

const made: Made = makeRepository(join(folder, 'repository'), commits(), 20);

async function bisected(chosen: readonly number[], more: Partial<BisectPlan> = {}): Promise<Bisection> {
  const result = await bisect({
    repository: (await Repository.open(made.path)) as Repository,
    line: made.line,
    intoMerges: true,
    recipe,
    builds: new Builds(join(folder, 'builds')),
    measurer: new CommandMeasurer({
      commands: chosen.map((one) => ['{program}', String(one)]),
      limitMs: 60_000,
      isPrinted: true,
    }),
    sensitivity: { least: 100, noise: 0.12, share: 1 / 5 },
    confidence: 0,
    strategy: 'batch',
    slots: 1,
    jobs: 2,
    signal: new AbortController().signal,
    known: [],
    onEvent: () => {},
    ...more,
  });
  if (result instanceof Fault) throw new Error(result.message);
  return result;
}

/** What must be found of a case: its commits, that of the branch for the merge. */
function planted(one: number): readonly string[] {
  return Object.keys(cases[one] as Changes)
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((at) =>
      at === mergeAt ? (made.sides.get(mergeAt)?.[sideCulprit] as string) : (made.line[at] as string),
    );
}

function found({ culprits: all }: Bisection, one: number): readonly string[] {
  return all.filter((culprit) => culprit.case === one).map((culprit) => culprit.commit);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('a made repository of 512 commits with 20 % noise', () => {
  it('gives the culprit of fifty cases with one step, in a seventh of the builds of git bisect', async () => {
    const chosen = range(0, 50);
    const batch = await bisected(chosen);
    for (const one of chosen) expect(found(batch, one)).toEqual(planted(one));
    const plain = await bisected(chosen, { strategy: 'git-bisect', intoMerges: false });
    process.stderr.write(
      `one step: ${batch.looked} commits looked at for 50 cases, git bisect ${plain.looked}: ` +
        `${(plain.looked / batch.looked).toFixed(1)} times as many\n`,
    );
    expect(batch.culprits.every((one) => one.isVerified)).toBe(true);
    expect(7 * batch.looked).toBeLessThanOrEqual(plain.looked);
  });

  it('gives every dominating culprit of all sixty cases, and no other', async () => {
    const all = await bisected(range(0, 60), { confidence: 0.95 });
    for (const one of range(0, 60)) expect(found(all, one), `case ${one}`).toEqual(planted(one));
    process.stderr.write(`all sixty, sure to 0.95 that nothing is hidden: ${all.looked} commits looked at\n`);
  });
});
