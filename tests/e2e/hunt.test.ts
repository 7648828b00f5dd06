import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HuntData } from '../../src/hunt/index.js';
import { culprit } from '../cli/culprit.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

/** The number of seeds, and how many of them may fail. */
const seeds = Number(process.env.CULPRIT_SEEDS ?? 3);
const mayMiss = Math.floor(seeds / 10);

it('a hunt of two minutes on the embedded versions finds and confirms three slowdowns of two kinds', {
  // Two minutes of search, then the reduction of every kind, even on a busy machine.
  timeout: seeds * 900_000,
}, () => {
  const folder = temporaryFolder('hunt-e2e');
  try {
    let misses = 0;
    let held = 0;
    let findings = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const out = join(folder, String(seed));
      const hunt = culprit(['hunt', '--seed', String(seed), '--forget', '--out', out, '--json']);
      const data = JSON.parse(hunt.stdout) as HuntData;
      const found = data.groups.flatMap((group) => group.findings);
      console.log(`seed ${seed}: ${found.length} findings of ${data.groups.length} kinds`);
      if (found.length < 3 || data.groups.length < 2) misses++;
      const files = readdirSync(join(out, 'cases')).filter((name) =>
        found.some(({ id }) => name === `s${String(id).padStart(4, '0')}.smt2`),
      );
      if (files.length === 0) continue;
      const again = culprit([
        'run',
        ...files.map((name) => join(out, 'cases', name)),
        '--on',
        'z3@4.8.17,z3@5.2.0',
        '--timeout',
        '2s',
        '--json',
      ]);
      const verdicts = again.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).verdict.kind as string);
      findings += verdicts.length;
      held += verdicts.filter((kind) => kind === 'slower').length;
    }
    console.log(`${held} of ${findings} findings held when measured again`);
    expect(misses).toBeLessThanOrEqual(mayMiss);
    expect(held / findings).toBeGreaterThanOrEqual(0.95);
  } finally {
    removeFolder(folder);
  }
});
