import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strategyNames } from '../src/explain/index.js';
import { countOf, explainedMade, type MadeResult } from './made-subjects/explained.js';
import { madeSubjects, publishedCount, publishedSeed } from './made-subjects/subjects.js';

/**
 * Measures how exactly each strategy blames the planted changes, and the number of test runs. `MADE_SEED`,
 * `MADE_COUNT` and `MADE_STRATEGIES` override the published ones.
 */
export async function madeSubjectsBench(): Promise<void> {
  const { MADE_SEED, MADE_COUNT, MADE_STRATEGIES } = process.env;
  const strategies = strategyNames.filter((name) => MADE_STRATEGIES?.split(',').includes(name) ?? true);
  const folder = mkdtempSync(join(tmpdir(), 'made-subjects-'));
  try {
    const seed = Number(MADE_SEED ?? publishedSeed);
    const subjects = madeSubjects(seed, Number(MADE_COUNT ?? publishedCount), join(folder, 'subjects'));
    console.log(
      `| subject | planted | lines | changes | causes | ${strategies.map((name) => `${name}: blamed, test runs, builds`).join(' | ')} |`,
    );
    console.log(`|---|---|---|---|---|${'---|'.repeat(strategies.length)}`);
    const results: MadeResult[] = [];
    for (const subject of subjects) {
      const row: MadeResult[] = [];
      for (const strategy of strategies)
        row.push(await explainedMade(subject, strategy, join(folder, `${subject.name}-${strategy}`)));
      results.push(...row);
      const cells = row.map(({ exactness, tests, builds }) => `${exactness}, ${tests}, ${builds}`);
      const { name, plots, lines, causes } = subject;
      console.log(
        `| ${name} | ${plots.join(', ')} | ${lines} | ${row[0]?.changes ?? 0} | ${causes[0]?.length ?? 0} | ${cells.join(' | ')} |`,
      );
    }
    for (const strategy of strategies) console.log(countOf(strategy, results));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
