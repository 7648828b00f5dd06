import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { intentions } from '../../src/history/index.js';
import { Fault } from '../../src/machine/index.js';
import { readLabels, studyTriage } from '../../src/study/triage/triage-study.js';
import { triageStudyText } from '../../src/study/triage/triage-study-text.js';
import { makeRepository } from '../history/made-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

describe('triage study', () => {
  const folder = temporaryFolder('triage-study');
  const subjects = ['start', 'fix #1', 'improve axioms', 'fix a typo', 'switch the default solver'];
  const made = makeRepository(
    join(folder, 'repository'),
    subjects.map((subject, at) => ({ levels: [at], subject })),
  );
  const labels = join(folder, 'labels.json');
  const write = (categories: readonly string[]): void =>
    writeFileSync(
      labels,
      JSON.stringify({
        commits: categories.map((category, at) => ({
          commit: made.line[at + 1]?.slice(0, 12),
          category,
          half: at < 2 ? 'first' : 'second',
        })),
      }),
    );

  it('counts verdicts that equal labels, over all commits and per half, and lists the others', async () => {
    write(['program fix', 'algorithm update', 'program fix', 'theory selection']);
    const found = withoutFault(await studyTriage({ labels, repo: made.path, folder, signal }));
    expect(
      found.agreements.map(({ of, commits, right, commonest }) => [of, commits, right, commonest]),
    ).toEqual([
      ['all', 4, 3, 2],
      ['first half', 2, 2, 1],
      ['second half', 2, 1, 1],
    ]);
    expect(found.agreements[0]?.confusion['program fix']).toEqual({
      'program fix': 1,
      'algorithm update': 0,
      'theory selection': 0,
      unknown: 1,
    });
    const text = triageStudyText(found);
    expect(text).toMatch(/second half +2 +1 +50 %/);
    expect(text).toContain(`${made.line[3]?.slice(0, 10)}  program fix  unknown`);
    expect(text).toContain('typo');
  });

  it('applies the user’s rules', async () => {
    write(['program fix', 'algorithm update', 'program fix', 'theory selection']);
    const own = temporaryFolder('triage-study');
    const rule = { means: 'program fix', weight: 30, says: 'typos are defects here', subject: ['typo*'] };
    writeFileSync(join(own, 'culprit.json'), JSON.stringify({ triage: [rule] }));
    const found = withoutFault(await studyTriage({ labels, repo: made.path, folder: own, signal }));
    expect(found.agreements[0]?.right).toBe(4);
  });

  it('refuses unknown labels', async () => {
    write(['program fix', 'magic']);
    const found = await studyTriage({ labels, repo: made.path, folder, signal });
    expect(found).toBeInstanceOf(Fault);
    expect((found as Fault).message).toContain('commits.1.category');
  });
});

it('labels of Z3 are sixty, half of them for evaluation, with a reason each', () => {
  const path = join(import.meta.dirname, '../../examples/triage/z3-labels.json');
  const labels = withoutFault(readLabels(path));
  expect(labels).toHaveLength(60);
  expect(labels.filter(({ half }) => half === 'second')).toHaveLength(30);
  expect(new Set(labels.map(({ commit }) => commit)).size).toBe(60);
  expect(new Set(labels.map(({ category }) => category))).toEqual(new Set(intentions));
  const { commits } = JSON.parse(readFileSync(path, 'utf8')) as { commits: { reason: string }[] };
  expect(commits.every(({ reason }) => reason.length > 10)).toBe(true);
});
