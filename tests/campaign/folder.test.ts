import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CampaignFolder } from '../../src/campaign/folder.js';
import { Fault, startOfProcess } from '../../src/machine/index.js';

const schema = z.object({ seed: z.number(), slowness: z.object({ timeoutMs: z.number() }) });
const settings = { seed: 7, slowness: { timeoutMs: 100 } };

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'folder-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

async function created(path: string): Promise<CampaignFolder> {
  const folder = await CampaignFolder.create(path, settings);
  if (folder instanceof Fault) throw new Error(folder.message);
  return folder;
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
      kind: 'environment',
      message: expect.stringMatching(/^Cannot write to /),
    });
  });
});

describe('a campaign that is opened', () => {
  it('must be there', async () => {
    for (const path of [home, join(home, 'nowhere')]) {
      expect(await CampaignFolder.open(path, schema)).toMatchObject({
        kind: 'usage',
        message: `${path} holds no campaign (no campaign.json).`,
      });
    }
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
    const release = await folder.lock();
    if (release instanceof Fault) throw new Error(release.message);
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
    // Only where the system tells when a process started can the two be told apart.
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
