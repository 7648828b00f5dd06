import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usageFault } from '../../src/machine/index.js';
import { studyDetection } from '../../src/study/index.js';
import { simulatedVersion } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';

type Request = Parameters<typeof studyDetection>[0];

const request = (): Request => ({
  culprit: '1',
  versions: () => Promise.reject(new Error('nothing is to be downloaded')),
  releases: () => Promise.reject(new Error('no release is to be downloaded')),
  strategies: ['random'],
  constants: {},
  repeats: 1,
  forMs: 1,
  workers: 1,
  logic: 'QF_SLIA',
  slowness: { timeoutMs: 1000 },
  memoryBytes: 1e9,
  out: join(temporaryFolder('detection-study'), 'out'),
  signal: new AbortController().signal,
  onCampaign: () => {},
});

describe('studyDetection', () => {
  it.each<readonly [Partial<Request>, string]>([
    [{ commits: 'nowhere' }, 'name either --commits or --releases, not both'],
    [{ constants: { random: { dept: 3 } } }, 'random has no constant dept'],
    [{ constants: { random: { depthRange: [0, -1] } } }, '--set random.depthRange'],
    [{ constants: { sprfinder: {} } }, '--set sprfinder: the study does not compare this strategy'],
    [{ commits: 'nowhere', releases: undefined }, 'there is no folder nowhere'],
  ])('refuses %j before it downloads a version', async (asked, sentence) => {
    expect(await studyDetection({ ...request(), ...asked })).toMatchObject({
      message: expect.stringContaining(sentence),
    });
  });

  it('refuses releases without exactly two versions before it downloads them', async () => {
    const one = { ...request(), versions: async () => [simulatedVersion('one')] };
    expect(await studyDetection(one)).toMatchObject({
      message: expect.stringContaining('a study needs two versions'),
    });
    const counting = {
      ...request(),
      strategies: ['random', 'culprit-coverage'] as const,
      versions: async () => [simulatedVersion('one'), simulatedVersion('two')],
      onCampaign: () => expect.unreachable('nothing is to be hunted'),
    };
    expect(await studyDetection(counting)).toMatchObject({
      message: expect.stringContaining('two does not count what it executes'),
    });
    const none = { ...request(), versions: async () => usageFault('there is no such version') };
    expect(await studyDetection(none)).toMatchObject({ message: 'there is no such version' });
  });
});
