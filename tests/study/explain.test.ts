import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/explain/index.js';
import { type ExplainedSubject, matchOf } from '../../src/study/explain/explain.js';
import { explainStudyText, sumsOf } from '../../src/study/explain/explain-text.js';
import { culprit } from '../cli/culprit.js';
import { itStudies } from '../rounds.js';
import { temporaryFolder } from '../temporary-folder.js';

const change = (file: string, from: number, to: number, within?: string): Change => ({
  ...{ id: from, file, within, old: { from: 1, to: 0 }, new: { from, to }, oldLines: [], newLines: [] },
});

describe('matchOf', () => {
  const known = {
    culprit: [{ file: 'a.c', function: 'f' }],
    dodges: [{ file: 'a.c', lines: [1, 2] as [number, number] }],
  };
  const match = (isRepaired: boolean, ...blamed: readonly Change[]) => matchOf(known, { isRepaired, blamed });

  it('is matched if the blamed changes include every place of the fix', () => {
    expect(match(true, change('a.c', 20, 22, 'f'), change('b.c', 1, 1))).toBe('matched');
    const both = {
      ...known,
      culprit: [...known.culprit, { file: 'b.c', lines: [5, 7] as [number, number] }],
    };
    expect(matchOf(both, { isRepaired: true, blamed: [change('a.c', 20, 22, 'f')] })).toBe('partial');
    expect(
      matchOf(both, { isRepaired: true, blamed: [change('a.c', 20, 22, 'f'), change('b.c', 7, 9)] }),
    ).toBe('matched');
  });

  it('is partial if the blamed changes repair the test but miss a place of the fix', () => {
    expect(match(true, change('b.c', 20, 22, 'f'))).toBe('partial');
    expect(match(true, change('a.c', 1, 1), change('a.c', 9, 9, 'g'))).toBe('partial');
  });

  it('is missed without a repair, and if the changes only bypass the fault', () => {
    expect(match(false, change('a.c', 20, 22, 'f'))).toBe('missed');
    expect(match(true, change('a.c', 2, 3))).toBe('missed');
    // Deleted lines are located between two lines.
    expect(match(true, change('a.c', 3, 2))).toBe('missed');
  });
});

describe('explain study', () => {
  it('summarizes the results of each strategy', () => {
    const one = (more: Partial<ExplainedSubject>): ExplainedSubject => ({
      ...{
        name: 'a',
        strategy: 'dd',
        changes: 4,
        reported: 2,
        auxiliary: 0,
        match: 'matched',
        tests: 6,
        builds: 8,
      },
      ...{ causes: 1, solverMs: 10, ms: 1000, ...more },
    });
    const all = [
      one({}),
      one({ name: 'b', reported: 4, match: 'partial' }),
      one({ why: 'it does not build', match: 'missed' }),
    ];
    expect(sumsOf(all)).toMatchObject([
      { strategy: 'dd', subjects: 3, matched: 1, partial: 1, missed: 1, reported: 3, tests: 6, builds: 8 },
    ]);
    expect(explainStudyText(all, [])).toContain('a (dd): it does not build');
  });

  itStudies('is run over a folder of subjects by one command, and resumed by the same', () => {
    const folder = temporaryFolder('explain-study');
    const write = (path: string, text: string): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    const program = (limit: number, name: string) =>
      `int ${name};\nint main(int argc, char **argv) {\n  (void)argv;\n  return argc > ${limit};\n}\n`;
    write('subjects/count/old/main.c', program(1, 'a'));
    write('subjects/count/new/main.c', program(0, 'b'));
    write(
      'subjects/count/subject.json',
      JSON.stringify({
        ...{
          old: 'old',
          new: join(folder, 'subjects', 'count', 'new'),
          build: 'cc -o count main.c',
          test: 'test -e "$SUBJECT/subject.json" && ./count',
        },
        culprit: [{ file: 'main.c', function: 'main' }],
      }),
    );
    const study = (...args: readonly string[]) => culprit(['study', 'explain', ...args], { cwd: folder });
    const { stdout, exitCode } = study('subjects', '--json');
    expect(exitCode).toBe(0);
    const { subjects } = JSON.parse(stdout) as { subjects: readonly ExplainedSubject[] };
    expect(subjects.map(({ strategy, match, reported }) => [strategy, match, reported])).toEqual(
      ['culprit', 'after', 'dd', 'add'].map((strategy) => [strategy, 'matched', 1]),
    );
    expect(study('subjects', '--strategies', 'dd').stdout).toContain('matched');
    expect(study('nowhere')).toMatchObject({ exitCode: 2 });
    write('bad/one/subject.json', '{}');
    expect(study('bad').stderr).toContain('does not describe a subject');
    expect(study('subjects', '--strategies', 'guess').stderr).toContain('There are culprit');
  });
});
