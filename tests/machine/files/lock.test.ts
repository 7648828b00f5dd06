import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/machine/fault.js';
import { takeLock } from '../../../src/machine/files/lock.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const gone = JSON.stringify({ pid: 2 ** 22 + 1, started: '1' });

describe('takeLock', () => {
  it('refuses a second lock, also within a process', async () => {
    const unlock = await takeLock(folder);
    expect(unlock).not.toBeInstanceOf(Fault);
    expect(await takeLock(folder)).toBeInstanceOf(Fault);
    if (!(unlock instanceof Fault)) await unlock();
    expect(await takeLock(folder)).not.toBeInstanceOf(Fault);
  });

  it('lets only one process take over a stale lock', async () => {
    for (let round = 0; round < 50; round++) {
      writeFileSync(join(folder, 'lock.json'), gone);
      const taken = await Promise.all(Array.from({ length: 6 }, () => takeLock(folder)));
      const held = taken.filter((one) => !(one instanceof Fault));
      expect(held).toHaveLength(1);
      for (const unlock of held) if (!(unlock instanceof Fault)) await unlock();
    }
  });

  it('ignores a damaged lock file', async () => {
    writeFileSync(join(folder, 'lock.json'), '{ "pid": ');
    expect(await takeLock(folder)).not.toBeInstanceOf(Fault);
  });
});
