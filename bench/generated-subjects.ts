import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strategyNames } from '../src/explain/index.js';
import { explainSubject, type SubjectResult, summaryOf } from './generated-subjects/explain-subject.js';
import { generateSubjects, publishedCount, publishedSeed } from './generated-subjects/subjects.js';

/**
 * Measures how exactly each strategy blames the planted changes, and the number of test runs. `SUBJECTS_SEED`,
 * `SUBJECTS_COUNT` and `SUBJECTS_STRATEGIES` override the published ones.
 */
export async function generatedSubjectsBench(): Promise<void> {
  const { SUBJECTS_SEED, SUBJECTS_COUNT, SUBJECTS_STRATEGIES } = process.env;
  const strategies = strategyNames.filter((name) => SUBJECTS_STRATEGIES?.split(',').includes(name) ?? true);
  const folder = mkdtempSync(join(tmpdir(), 'generated-subjects-'));
  try {
    const seed = Number(SUBJECTS_SEED ?? publishedSeed);
    const subjects = generateSubjects(
      seed,
      Number(SUBJECTS_COUNT ?? publishedCount),
      join(folder, 'subjects'),
    );
    console.log(
      `| subject | planted | lines | changes | causes | ${strategies.map((name) => `${name}: blamed, test runs, builds`).join(' | ')} |`,
    );
    console.log(`|---|---|---|---|---|${'---|'.repeat(strategies.length)}`);
    const results: SubjectResult[] = [];
    for (const subject of subjects) {
      const row: SubjectResult[] = [];
      for (const strategy of strategies)
        row.push(await explainSubject(subject, strategy, join(folder, `${subject.name}-${strategy}`)));
      results.push(...row);
      const cells = row.map(({ exactness, tests, builds }) => `${exactness}, ${tests}, ${builds}`);
      const { name, plots, lines, causes } = subject;
      console.log(
        `| ${name} | ${plots.join(', ')} | ${lines} | ${row[0]?.changes ?? 0} | ${causes[0]?.length ?? 0} | ${cells.join(' | ')} |`,
      );
    }
    for (const strategy of strategies) console.log(summaryOf(strategy, results));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
