/** Results that culprit 0.1.0 stored: later versions still read them. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readExplanation } from '../../src/explain/index.js';
import { examinedBisection } from '../../src/history/index.js';
import { replayCampaign } from '../../src/hunt/index.js';
import { readCampaign } from '../../src/jobs/index.js';
import { noInk } from '../../src/machine/index.js';
import { explanationText, huntSummary } from '../../src/report/index.js';
import { gitIn, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const stored = fileURLToPath(new URL('stored', import.meta.url));
const { signal } = new AbortController();

it('readCampaign reads a campaign of 0.1.0 with its findings and anomalies', async () => {
  const { data } = withoutFault(await readCampaign(join(stored, 'campaign')));
  expect(data.groups.map(({ findings }) => findings.length)).toEqual([2]);
  expect(data.anomalies.map(({ kind }) => kind).toSorted()).toEqual([
    ...['crash', 'crash', 'crash', 'crash', 'disagreement'],
  ]);
  expect(huntSummary(data, 'campaign', { ink: noInk, screen: 100 })).toContain('DISAGREEMENT');
});

it('replayCampaign repeats the search of a campaign of 0.1.0', async () => {
  const { formulas, slowdowns } = withoutFault(await replayCampaign(join(stored, 'campaign')));
  expect([formulas, slowdowns]).toEqual([26, 3]);
});

it('examinedBisection reads a bisection of 0.1.0 with its culprit', async () => {
  const folder = temporaryFolder('stored-bisection');
  const repository = join(folder, 'repository');
  initRepository(repository);
  // The same content, names and dates give the commit ids that the stored bisection names.
  const dates = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
  for (const size of [10, 10, 10, 200, 200]) {
    writeFileSync(join(repository, 'n.txt'), `${size}\n`);
    gitIn(repository, ['add', '-A']);
    gitIn(repository, ['commit', '-q', '--allow-empty', '-m', `set ${size}`], undefined, dates);
  }
  const copy = join(folder, 'bisection');
  cpSync(join(stored, 'bisection'), copy, { recursive: true });
  const settings = join(copy, 'campaign.json');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('/project/repo', repository));
  const { bisection, dossiers } = withoutFault(await examinedBisection(copy, async () => undefined, signal));
  expect(bisection.culprits).toMatchObject([{ direction: 'slower', beforeLevel: 10, afterLevel: 200 }]);
  expect(dossiers.map(({ commit }) => commit.subject)).toEqual(['set 200']);
});

it('readExplanation reads an explanation of 0.1.0', async () => {
  const { settings, explanation } = withoutFault(await readExplanation(join(stored, 'explanation')));
  if (explanation === undefined) throw new Error('the explanation is unfinished');
  expect(explanationText({ settings, explanation }, noInk)).toContain(
    '1 change to blame between /project/old and /project/new',
  );
});
