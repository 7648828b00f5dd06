import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CampaignFolder } from '../../src/campaign/index.js';
import type { HuntSettings, Kind } from '../../src/hunt/index.js';
import { Fault } from '../../src/machine/index.js';
import { byCommit } from '../../src/study/detection/causes.js';
import {
  type CampaignResult,
  countCampaigns,
  detectionTable,
  runDetection,
} from '../../src/study/detection/detection.js';
import { settingsFor } from '../simulated/search.js';
import { simulatedVersion } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const finding = (operators: readonly string[], foundAtMs: number, answer = 'sat', text = '') => ({
  kind: { answer, operators, since: 1 } satisfies Kind,
  foundAtMs,
  text,
});

const campaign = (
  strategy: CampaignResult['strategy'],
  repeat: number,
  findings: readonly ReturnType<typeof finding>[],
): CampaignResult => ({
  strategy,
  repeat,
  data: {
    tried: 100,
    slowdowns: findings.length,
    slowdownTimes: findings.map(({ foundAtMs }) => foundAtMs),
    refuted: 0,
    groups: findings.map((finding) => ({ findings: [finding] })),
  },
});

describe('detection study', () => {
  const small = campaign('culprit', 1, [
    finding(['str.at'], 300),
    finding(['str.replace'], 100),
    finding(['str.at', 'str.contains'], 50),
    finding(['str.at'], 60, 'unsat'),
  ]);
  /** Three kinds on its own: none of the three sets is a subset of another. */
  const large = campaign('sprfinder', 1, [
    finding(['str.at', 'str.contains'], 10),
    finding(['str.at', 'str.indexof'], 20),
    finding(['str.at', 'str.substr'], 30),
  ]);

  it('kinds are the smallest formulas of all campaigns', () => {
    expect(countCampaigns([small, large]).map(({ causes, causeTimes }) => [causes, causeTimes])).toEqual([
      [3, [50, 60, 100]],
      [1, [10]],
    ]);
    expect(countCampaigns([large])).toMatchObject([{ causes: 3 }]);
  });

  it('counts do not depend on the order of campaigns', () => {
    const [first, second] = countCampaigns([small, large]);
    expect(countCampaigns([large, small])).toEqual([second, first]);
  });

  it('campaigns are counted by commits if these are known', () => {
    const of = (text: string, foundAtMs: number) => finding(['str.at'], foundAtMs, 'sat', text);
    const [a, b, c] = ['(assert true)\n', '(assert false)\n', '(check-sat)\n'] as const;
    const blamed = new Map([
      [a, ['one', 'two']],
      [b, ['two']],
      [c, []],
    ]);
    const campaigns = [
      campaign('culprit', 1, [of('( assert  true )', 300), of(b, 100), of(c, 20), of('(exit)', 10)]),
      campaign('sprfinder', 1, [of(b, 50), of(b, 40)]),
      campaign('random', 1, [of(c, 20)]),
    ];
    const counts = countCampaigns(campaigns, byCommit(blamed));
    expect(counts.map(({ causes, causeTimes }) => [causes, causeTimes])).toEqual([
      [2, [100, 300]],
      [1, [40]],
      [0, []],
    ]);
  });

  it('table has minimum, maximum and average per strategy', () => {
    const again = campaign('culprit', 2, [finding(['str.replace'], 5)]);
    const rows = detectionTable(countCampaigns([small, large, again]), ['culprit', 'sprfinder', 'random']);
    expect(rows).toMatchObject([
      { strategy: 'culprit', causes: { min: 1, max: 3, average: 2 }, tests: { min: 1, max: 4 } },
      { strategy: 'sprfinder', causes: { min: 1, max: 1 } },
    ]);
  });
});

describe('resumed detection study', () => {
  it.each<[string, Partial<HuntSettings>]>([
    ['versions', { builds: ['other 1', 'new 2'] }],
    ['memory limits (--memory)', { memoryBytes: 2e9 }],
    ['workers', { workers: 3 }],
  ])('refuses stored campaigns with other %s', async (word, others) => {
    const out = temporaryFolder('study');
    const begun = settingsFor('random');
    withoutFault(await CampaignFolder.create(join(out, 'random-1'), { ...begun, seed: 1 }));
    const fault = await runDetection({
      ...{
        out,
        strategies: ['random'],
        repeats: 1,
        versions: [simulatedVersion('old'), simulatedVersion('new')],
      },
      common: { ...begun, ...others },
      optionsOf: () => begun.options,
      signal: new AbortController().signal,
    });
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ message: expect.stringContaining(`was begun with other ${word};`) });
  });
});
