import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CampaignFolder } from '../../src/campaign/folder.js';
import { fullDiskFault } from '../../src/campaign/full-disk.js';
import { timeStampedFolder } from '../../src/campaign/time-stamped.js';
import { environmentFault, Fault, startOfProcess } from '../../src/machine/index.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const schema = z.object({ seed: z.number(), slowness: z.object({ timeoutMs: z.number() }) });
const settings = { seed: 7, slowness: { timeoutMs: 100 } };

let home: string;

beforeEach(() => {
  home = temporaryFolder('folder');
});

afterEach(() => removeFolder(home));

async function created(path: string): Promise<CampaignFolder> {
  return withoutFault(await CampaignFolder.create(path, settings));
}

describe('a new campaign', () => {
  it('makes its folder with all folders above it, and can be opened', async () => {
    const path = join(home, 'a', 'b');
    await created(path);
    expect(readdirSync(path).toSorted()).toEqual(['campaign.json', 'cases']);
    const opened = await CampaignFolder.open(path, schema);
    expect(opened).toMatchObject({ settings });
  });

  it('may begin in a folder that is empty', async () => {
    await created(home);
  });

  it('does not begin where a campaign is, and says how to go on with that', async () => {
    await created(home);
    const again = await CampaignFolder.create(home, { seed: 8 });
    expect(again).toMatchObject({ kind: 'usage', message: expect.stringContaining(`--resume ${home}`) });
    expect(await CampaignFolder.open(home, schema)).toMatchObject({ settings });
  });

  it('does not begin among other files, and leaves them alone', async () => {
    writeFileSync(join(home, 'thesis.tex'), 'x');
    expect(await CampaignFolder.create(home, settings)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('is not empty'),
    });
    expect(readFileSync(join(home, 'thesis.tex'), 'utf8')).toBe('x');
  });

  it('says so when its folder cannot be made', async () => {
    writeFileSync(join(home, 'file'), '');
    const folder = await CampaignFolder.create(join(home, 'file', 'campaign'), settings);
    expect(folder).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('a part of its path is a file and not a folder'),
    });
  });
});

describe('a campaign that is begun', () => {
  it('is in a folder that tells when it was begun, where the user names none', () => {
    const now = new Date('2026-11-16T09:30:05.123Z');
    expect(timeStampedFolder('campaigns', now)).toBe(join('campaigns', '2026-11-16T09-30-05-123'));
  });
});

describe('a campaign on a full disk', () => {
  it('says that what was measured is kept, and how to resume it', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(fullDiskFault(full, 'campaigns/nightly', 'culprit hunt --resume campaigns/nightly')).toEqual(
      environmentFault(
        'no space is left where campaigns/nightly is; what was measured is kept: free some, then culprit hunt --resume campaigns/nightly',
      ),
    );
    for (const other of [new Error('no'), Object.assign(new Error('no'), { code: 'EIO' }), undefined])
      expect(fullDiskFault(other, 'campaigns/nightly', 'again')).toBeUndefined();
  });
});

describe('a campaign that is opened', () => {
  it('must be there', async () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    for (const [path, message] of [
      [home, `${home} holds no campaign (no campaign.json)`],
      [join(home, 'nowhere'), `there is no folder ${join(home, 'nowhere')}`],
      [file, `${file} is a file: name a folder that culprit has left`],
    ] as const)
      expect(await CampaignFolder.open(path, schema)).toMatchObject({ kind: 'usage', message });
  });

  it('says what is wrong with its settings, and where', async () => {
    const path = join(home, 'campaign.json');
    const fault = async (text: string): Promise<string> => {
      writeFileSync(path, text);
      const opened = await CampaignFolder.open(home, schema);
      return opened instanceof Fault ? opened.message : 'nothing';
    };
    expect(await fault('{"seed":7,"slowness":{"timeoutMs":"long"}}')).toContain(
      `${path} is damaged at slowness.timeoutMs: `,
    );
    expect(await fault('{"seed":')).toContain(`${path} is damaged: `);
    expect(await fault('{"seed":7,"slowness":{"timeoutMs":5}}')).toBe('nothing');
  });

  it('has its settings replaced as a whole', async () => {
    const folder = await created(join(home, 'one'));
    await folder.rewrite({ ...settings, seed: 9 });
    expect(await CampaignFolder.open(folder.path, schema)).toMatchObject({ settings: { seed: 9 } });
    expect(readdirSync(folder.path).toSorted()).toEqual(['campaign.json', 'cases']);
  });
});

describe('a file of a campaign that cannot be written', () => {
  it('leaves the old one and nothing half-written behind', async () => {
    const folder = await created(join(home, 'one'));
    mkdirSync(join(folder.path, 'cases', 's0001.smt2'));
    await expect(folder.writeWhole('cases/s0001.smt2', 'x')).rejects.toThrow();
    expect(readdirSync(join(folder.path, 'cases'))).toEqual(['s0001.smt2']);
  });
});

describe('the lock of a campaign', () => {
  const lockPath = (folder: CampaignFolder): string => join(folder.path, 'lock.json');

  it('keeps others out until it is given back', async () => {
    const folder = await created(join(home, 'one'));
    const release = withoutFault(await folder.lock());
    expect(await folder.lock()).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(`in use by process ${process.pid}`),
    });
    await release();
    expect(await folder.lock()).toBeInstanceOf(Function);
  });

  it('does not count when its process is gone', async () => {
    const folder = await created(join(home, 'one'));
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lockPath(folder), JSON.stringify({ pid, started: '12345' }));
    expect(await folder.lock()).toBeInstanceOf(Function);
    expect(JSON.parse(readFileSync(lockPath(folder), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('does not count when its number belongs to another process by now', async () => {
    // Needs the start times of processes.
    if (startOfProcess(process.pid) === undefined) return;
    const folder = await created(join(home, 'one'));
    writeFileSync(lockPath(folder), JSON.stringify({ pid: process.pid, started: 'before' }));
    expect(await folder.lock()).toBeInstanceOf(Function);
  });

  it('counts for a living process of which nobody knows when it started', async () => {
    const folder = await created(join(home, 'one'));
    writeFileSync(lockPath(folder), JSON.stringify({ pid: process.ppid }));
    expect(await folder.lock()).toMatchObject({ kind: 'usage' });
  });

  it.each([
    '',
    '{"pid":',
    '{"pid":-1}',
    '{"pid":"7"}',
    'null',
  ])('does not count when it reads %s', async (text) => {
    const folder = await created(join(home, 'one'));
    writeFileSync(lockPath(folder), text);
    expect(await folder.lock()).toBeInstanceOf(Function);
  });
});
