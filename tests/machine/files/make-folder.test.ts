import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/machine/index.js';
import { temporaryFolder } from '../../temporary-folder.js';

describe('makeFolder', () => {
  it('creates missing parents and accepts existing folders', async () => {
    const top = temporaryFolder();
    await makeFolder(join(top, 'a', 'b', 'c'));
    await makeFolder(join(top, 'a', 'b', 'c'));
    await makeFolder(join(top, 'a', '..', 'd', ''));
    expect(existsSync(join(top, 'a', 'b', 'c')) && existsSync(join(top, 'd'))).toBe(true);
    await makeFolder('/');
  });

  it('works concurrently in the same place', async () => {
    const top = temporaryFolder();
    // Each path is one level deeper, so that one call creates a folder that another has just found missing.
    for (let round = 0; round < 50; round++) {
      const parts = Array.from({ length: 8 }, (_, depth) => `${round}-${depth}`);
      await Promise.all(parts.map((_, depth) => makeFolder(join(top, ...parts.slice(0, depth + 1)))));
      expect(existsSync(join(top, ...parts))).toBe(true);
    }
  });

  it('follows links to folders', async () => {
    const top = temporaryFolder();
    mkdirSync(join(top, 'real'));
    symlinkSync('real', join(top, 'link'));
    await makeFolder(join(top, 'link', 'a'));
    expect(existsSync(join(top, 'real', 'a'))).toBe(true);
  });

  it('reports a file or a dangling link in the path', async () => {
    const top = temporaryFolder();
    writeFileSync(join(top, 'file'), '');
    await expect(makeFolder(join(top, 'file'))).rejects.toThrow('EEXIST');
    await expect(makeFolder(join(top, 'file', 'below', 'it'))).rejects.toThrow('ENOTDIR');
    symlinkSync('nowhere', join(top, 'dangling'));
    await expect(makeFolder(join(top, 'dangling', 'a'))).rejects.toThrow(/EEXIST|ENOENT/);
  });

  it.runIf(process.platform === 'linux')('ends with an error below /proc', async () => {
    await expect(makeFolder('/proc/nope/.cache/culprit')).rejects.toThrow('ENOENT');
  });
});
