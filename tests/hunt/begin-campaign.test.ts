import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginCampaign, type StrategyName } from '../../src/hunt/index.js';
import type { SlownessRequest } from '../../src/solver/index.js';
import { embedded } from '../solver/wasm/embedded.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let home: string;

beforeEach(() => {
  home = temporaryFolder('begin-campaign');
});

afterEach(() => removeFolder(home));

const timeoutOf = async (strategy: StrategyName, slowness: SlownessRequest): Promise<number> => {
  const campaign = await beginCampaign({
    ...{ culprit: '1', strategy, constants: {}, workers: 1, logic: 'QF_SLIA', slowness },
    ...{ memoryBytes: 1e9, corpus: [], ignoresKnownKinds: true, out: join(home, 'campaign') },
    versions: async () => [embedded('4.8.17'), embedded('5.2.0')],
  });
  return withoutFault(campaign).settings.slowness.timeoutMs;
};

describe('the timeout of a run', () => {
  it.each<readonly [string, StrategyName, SlownessRequest, number]>([
    ['two seconds by default', 'culprit', {}, 2000],
    ['five seconds with MulStringFuzz, as in the paper', 'mulstringfuzz', {}, 5000],
    ['five seconds with its variants', 'mulstringfuzz-no-coverage', {}, 5000],
    ['the requested one', 'mulstringfuzz', { timeoutMs: 700 }, 700],
    ['twice the threshold', 'mulstringfuzz', { thresholdMs: 300 }, 600],
    ['the preset’s', 'mulstringfuzz', { preset: 'paper' }, 20_000],
  ])('is %s', async (_, strategy, slowness, timeoutMs) => {
    expect(await timeoutOf(strategy, slowness)).toBe(timeoutMs);
  });
});
