import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Kind } from '../../src/hunt/kind.js';
import { recallKinds, rememberKinds } from '../../src/hunt/memory.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

let cache: string;

beforeEach(() => {
  cache = temporaryFolder('memory');
  vi.stubEnv('CULPRIT_CACHE', cache);
});

afterEach(() => {
  vi.unstubAllEnvs();
  removeFolder(cache);
});

const kind = (name: string): Kind => ({ answer: 'sat', operators: [name], since: 1 });
const builds = ['z3 1', 'z3 2'];

describe('recallKinds', () => {
  it('returns nothing at first', async () => {
    expect(await recallKinds(builds)).toEqual([]);
  });

  it('returns the kinds of these builds only, the latest first, without duplicates', async () => {
    await rememberKinds(builds, [kind('a'), kind('b')]);
    await rememberKinds(builds, [kind('c'), kind('a')]);
    expect((await recallKinds(builds)).map(({ operators }) => operators[0])).toEqual(['c', 'a', 'b']);
    expect(await recallKinds(builds.toReversed())).toEqual([]);
  });

  it('returns a bounded number of kinds', async () => {
    await rememberKinds(
      builds,
      Array.from({ length: 300 }, (_, i) => kind(`k${i}`)),
    );
    expect(await recallKinds(builds)).toHaveLength(200);
  });

  it('returns nothing from a damaged file, which can be rewritten', async () => {
    await rememberKinds(builds, [kind('a')]);
    const [name] = readdirSync(join(cache, 'known'));
    for (const text of ['{"builds":', '{"builds":[],"kinds":[{"answer":1}]}']) {
      writeFileSync(join(cache, 'known', name as string), text);
      expect(await recallKinds(builds)).toEqual([]);
    }
    await rememberKinds(builds, [kind('b')]);
    expect(await recallKinds(builds)).toEqual([kind('b')]);
  });
});
