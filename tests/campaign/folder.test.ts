import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CampaignFolder } from '../../src/campaign/folder.js';
import { fullDiskFault } from '../../src/campaign/full-disk.js';
import { timeStampedFolder } from '../../src/campaign/time-stamped.js';
import { environmentFault, Fault, processStartTime } from '../../src/machine/index.js';
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
  it('creates missing parent folders and can be opened', async () => {
    const path = join(home, 'a', 'b');
    await created(path);
    expect(readdirSync(path).toSorted()).toEqual(['campaign.json', 'cases']);
    const opened = await CampaignFolder.open(path, schema);
    expect(opened).toMatchObject({ settings });
  });

  it('can begin in an empty folder', async () => {
    await created(home);
  });

  it('refuses a folder with a campaign and names the resume command', async () => {
    await created(home);
    const again = await CampaignFolder.create(home, { seed: 8 });
    expect(again).toMatchObject({ kind: 'usage', message: expect.stringContaining(`--resume ${home}`) });
    expect(await CampaignFolder.open(home, schema)).toMatchObject({ settings });
  });

  it('refuses a folder with other files and leaves them unchanged', async () => {
    writeFileSync(join(home, 'thesis.tex'), 'x');
    expect(await CampaignFolder.create(home, settings)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('is not empty'),
    });
    expect(readFileSync(join(home, 'thesis.tex'), 'utf8')).toBe('x');
  });

  it('reports that its folder cannot be created', async () => {
    writeFileSync(join(home, 'file'), '');
    const folder = await CampaignFolder.create(join(home, 'file', 'campaign'), settings);
    expect(folder).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('a part of its path is a file and not a folder'),
    });
  });
});

describe('timeStampedFolder', () => {
  it('names the default folder by the time of the start', () => {
    const now = new Date('2026-11-16T09:30:05.123Z');
    expect(timeStampedFolder('campaigns', now)).toBe(join('campaigns', '2026-11-16T09-30-05-123'));
  });
});

describe('a campaign on a full disk', () => {
  it('reports that the results are kept, and how to resume', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(fullDiskFault(full, 'campaigns/nightly', 'culprit hunt --resume campaigns/nightly')).toEqual(
      environmentFault(
        'no space is left where campaigns/nightly is; the results so far are kept: free some, then culprit hunt --resume campaigns/nightly',
      ),
    );
    for (const other of [new Error('no'), Object.assign(new Error('no'), { code: 'EIO' }), undefined])
      expect(fullDiskFault(other, 'campaigns/nightly', 'again')).toBeUndefined();
  });
});

describe('CampaignFolder.open', () => {
  it('reports a missing campaign', async () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    for (const [path, message] of [
      [home, `${home} holds no campaign (no campaign.json)`],
      [join(home, 'nowhere'), `there is no folder ${join(home, 'nowhere')}`],
      [file, `${file} is a file: name the folder of a campaign`],
    ] as const)
      expect(await CampaignFolder.open(path, schema)).toMatchObject({ kind: 'usage', message });
  });

  it('reports invalid settings with their position', async () => {
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

  it('reads settings that were replaced atomically', async () => {
    const folder = await created(join(home, 'one'));
    await folder.rewrite({ ...settings, seed: 9 });
    expect(await CampaignFolder.open(folder.path, schema)).toMatchObject({ settings: { seed: 9 } });
    expect(readdirSync(folder.path).toSorted()).toEqual(['campaign.json', 'cases']);
  });
});

describe("writing a campaign's file", () => {
  it('keeps the old content and leaves no partial file if the write fails', async () => {
    const folder = await created(join(home, 'one'));
    mkdirSync(join(folder.path, 'cases', 's0001.smt2'));
    await expect(folder.writeAtomically('cases/s0001.smt2', 'x')).rejects.toThrow();
    expect(readdirSync(join(folder.path, 'cases'))).toEqual(['s0001.smt2']);
  });
});

describe('the lock of a campaign', () => {
  const lockPath = (folder: CampaignFolder): string => join(folder.path, 'lock.json');

  it('keeps others out until it is released', async () => {
    const folder = await created(join(home, 'one'));
    const release = withoutFault(await folder.lock());
    expect(await folder.lock()).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(`in use by process ${process.pid}`),
    });
    await release();
    expect(await folder.lock()).toBeInstanceOf(Function);
  });

  it('is ignored when its process has ended', async () => {
    const folder = await created(join(home, 'one'));
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lockPath(folder), JSON.stringify({ pid, started: '12345' }));
    expect(await folder.lock()).toBeInstanceOf(Function);
    expect(JSON.parse(readFileSync(lockPath(folder), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is ignored when its pid belongs to another process', async () => {
    // Needs the start times of processes.
    if (processStartTime(process.pid) === undefined) return;
    const folder = await created(join(home, 'one'));
    writeFileSync(lockPath(folder), JSON.stringify({ pid: process.pid, started: 'before' }));
    expect(await folder.lock()).toBeInstanceOf(Function);
  });

  it('holds for a living process of unknown start time', async () => {
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
  ])('is ignored when it contains %s', async (text) => {
    const folder = await created(join(home, 'one'));
    writeFileSync(lockPath(folder), text);
    expect(await folder.lock()).toBeInstanceOf(Function);
  });
});
