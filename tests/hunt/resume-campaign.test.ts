import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resumeCampaign } from '../../src/hunt/begin-campaign.js';
import { buildIdentity } from '../../src/hunt/build-identity.js';
import { dialects } from '../../src/smtlib/index.js';
import type { Version } from '../../src/solver/index.js';
import { eventsOf, ordinary, settingsOf } from '../report/made-campaign.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const version = (name: string): Version => ({
  ...{ name, spec: name, family: 'z3', number: '1', source: 'path', options: {}, dialect: dialects['2.6'] },
  program: { kind: 'native', command: ['z3'] },
});

it('resumeCampaign adds the requested time after the time that reduction took', async () => {
  const path = temporaryFolder('resumed');
  const settings = settingsOf(ordinary);
  const versions = settings.versions.map(version);
  const stored = { ...settings, culprit: '1', forMs: 1000, builds: versions.map(buildIdentity) };
  mkdirSync(join(path, 'cases'));
  writeFileSync(join(path, 'campaign.json'), JSON.stringify(stored));
  const more = async () =>
    withoutFault(await resumeCampaign(path, { moreMs: 500, versions: async () => versions })).settings.forMs;
  expect(await more()).toBe(1500);
  const events = eventsOf(ordinary).map((event) => `${JSON.stringify(event)}\n`);
  appendFileSync(join(path, 'journal.ndjson'), events.join(''));
  const last = Math.max(...eventsOf(ordinary).map(({ at }) => at));
  expect(last).toBeGreaterThan(2000);
  expect(await more()).toBe(last + 500);
  removeFolder(path);
});
