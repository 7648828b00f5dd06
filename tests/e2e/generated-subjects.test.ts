/** Synthetic programs with planted changes among harmless ones: the blamed changes and the number of test runs. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explainSubject, type SubjectResult } from '../../bench/generated-subjects/explain-subject.js';
import { generateSubjects, publishedCount, publishedSeed } from '../../bench/generated-subjects/subjects.js';
import type { StrategyName } from '../../src/explain/index.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Every strategy builds every subject dozens of times. */
const limitMs = 4 * 3_600_000;

it(
  'explain blames exactly the planted changes and takes fewer test runs than delta debugging',
  async () => {
    const folder = temporaryFolder('generated-subjects');
    const subjects = generateSubjects(publishedSeed, publishedCount, join(folder, 'subjects'));
    const by = async (strategy: StrategyName): Promise<readonly SubjectResult[]> => {
      const results: SubjectResult[] = [];
      for (const subject of subjects)
        results.push(await explainSubject(subject, strategy, join(folder, `${subject.name}-${strategy}`)));
      return results;
    };
    const [own, dd, add] = [await by('culprit'), await by('dd'), await by('add')];
    const fewerThan = (others: readonly SubjectResult[]) =>
      own.filter(({ tests }, at) => tests < (others[at]?.tests ?? 0)).length;
    expect(own.filter(({ exactness }) => exactness === 'missed' || exactness === 'given up')).toEqual([]);
    expect(own.every(({ isRepaired }) => isRepaired)).toBe(true);
    expect(own.filter(({ exactness }) => exactness === 'exact').length).toBeGreaterThanOrEqual(28);
    expect(own.filter(({ tests }, at) => tests >= (dd[at]?.tests ?? 0))).toEqual([]);
    expect(fewerThan(add)).toBeGreaterThan(publishedCount / 2);
  },
  limitMs,
);
