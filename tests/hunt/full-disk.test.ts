import type * as fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Journal } from '../../src/campaign/index.js';
import { Random } from '../../src/machine/index.js';
import { begin, findingsIn, goOn, linesOf, searched } from '../simulated/campaign.js';
import { settingsFor } from '../simulated/search.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/** Free bytes on the disk. */
const disk = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (file: number, bytes: Buffer, at: number): number => {
    if (disk.left === 0)
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    // Like a real disk: writes what fits; the next write fails.
    const taken = real.writeSync(file, bytes, at, Math.min(disk.left, bytes.length - at));
    disk.left -= taken;
    return taken;
  };
  return { ...real, writeSync };
});

let home: string;

beforeEach(() => {
  home = temporaryFolder('full-disk');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  disk.left = Number.POSITIVE_INFINITY;
  vi.useRealTimers();
  removeFolder(home);
});

it('a journal line that does not fit on the disk leaves no partial line', async () => {
  const path = join(home, 'journal.ndjson');
  const journal = withoutFault(Journal.open(path));
  journal.append({ line: 1 });
  disk.left = 5;
  expect(() => journal.append({ line: 2 })).toThrow('ENOSPC');
  disk.left = 100;
  journal.append({ line: 3 });
  journal.close();
  expect(await readFile(path, 'utf8')).toBe('{"line":1}\n{"line":3}\n');
});

it('a campaign on a full disk stops with the reason, keeps all events and resumes when there is space', async () => {
  const settings = settingsFor('culprit', {}, { forMs: 20_000 });
  const undisturbed = join(home, 'undisturbed');
  await begin(undisturbed, settings);
  await goOn(undisturbed);
  const events = await linesOf(undisturbed);
  const { length } = await readFile(join(undisturbed, 'journal.ndjson'));

  const random = Random.fromSeed(1);
  for (let round = 0; round < 10; round++) {
    const path = join(home, `full ${round}`);
    await begin(path, settings);
    const room = random.between(200, length - 200);
    disk.left = room;
    await expect(goOn(path), `room for ${room} bytes`).rejects.toThrow('ENOSPC');
    const kept = await linesOf(path);
    expect(kept).toEqual(events.slice(0, kept.length));
    disk.left = Number.POSITIVE_INFINITY;
    await goOn(path);
    const resumed = await linesOf(path);
    expect(searched(resumed)).toEqual(searched(events));
    expect(findingsIn(resumed)).toEqual(findingsIn(events));
  }
});
