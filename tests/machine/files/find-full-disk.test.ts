import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fullDiskFault } from '../../../src/campaign/index.js';
import { findFullDisk } from '../../../src/machine/index.js';

const noSpace = (path?: string): Error =>
  Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'open', path });

const own = '/data/campaigns/nightly';

describe('the full disk', () => {
  it('is found by the path in the error', () => {
    expect(findFullDisk(noSpace(join(own, 'cases/s0001.smt2')), own)).toEqual({
      path: own,
      isTemporary: false,
    });
    expect(findFullDisk(noSpace(join(tmpdir(), 'culprit-1/input')), own)).toEqual({
      path: tmpdir(),
      isTemporary: true,
    });
    expect(findFullDisk(noSpace('/cache/known/a.json'), own)).toMatchObject({ path: '/cache/known/a.json' });
  });

  it('is found by its free space if the error has no path', () => {
    const only = (full: string) => (folder: string) => folder !== full;
    expect(findFullDisk(noSpace(), own, only(tmpdir()))).toMatchObject({ isTemporary: true });
    expect(findFullDisk(noSpace(), own, only(own))).toMatchObject({ path: own });
    expect(findFullDisk(noSpace(), own, () => undefined)).toMatchObject({ path: own });
    expect(findFullDisk(noSpace(), own, () => false)).toMatchObject({ path: own });
  });

  it('is named in the fault, with a remedy', () => {
    const resume = 'culprit hunt --resume nightly';
    expect(fullDiskFault(noSpace(join(tmpdir(), 'x')), own, resume)?.message).toBe(
      `no space is left for temporary files in ${tmpdir()}; the results so far are kept: ` +
        `free some, or set TMPDIR to a folder elsewhere, then ${resume}`,
    );
    expect(findFullDisk(new Error('no'), own)).toBeUndefined();
    expect(findFullDisk(Object.assign(new Error('no'), { code: 'EIO' }), own)).toBeUndefined();
  });
});

it.runIf(process.platform === 'linux')('fullDiskFault recognises the error of /dev/full', async () => {
  const { writeFile } = await import('node:fs/promises');
  const error: unknown = await writeFile('/dev/full', 'x').catch((caught: unknown) => caught);
  expect(fullDiskFault(error, own, 'again')?.kind).toBe('environment');
});
