import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readConfigurationFile } from '../../src/configuration/index.js';
import { Fault, gunzipped, readInput, readInputText } from '../../src/machine/index.js';
import { culprit } from '../cli/culprit.js';
import { temporaryFolder } from '../temporary-folder.js';

const formula = '(assert true)(check-sat)\n';

/** A folder of entries that are not regular files. Reading any of them naively would hang or never end. */
function menagerie(): { readonly folder: string; readonly names: readonly string[] } {
  const folder = temporaryFolder('inputs');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  mkdirSync(join(folder, 'folder'));
  symlinkSync('/dev/zero', join(folder, 'link-to-zero'));
  symlinkSync('circle', join(folder, 'circle'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  return { folder, names: ['pipe', 'folder', 'link-to-zero', 'circle', 'dangling'] };
}

describe('an input file', () => {
  it('can be a regular file, a link to one, or a hard link', () => {
    const folder = temporaryFolder('inputs');
    const file = join(folder, 'a.smt2');
    writeFileSync(file, formula);
    symlinkSync(file, join(folder, 'link.smt2'));
    linkSync(file, join(folder, 'second.smt2'));
    for (const name of ['a.smt2', 'link.smt2', 'second.smt2'])
      expect(readInputText(join(folder, name))).toBe(formula);
  });

  it('is rejected with one sentence if it is not a regular file', async () => {
    const { folder, names } = menagerie();
    const socket = createServer().listen(join(folder, 'socket'));
    for (const name of [...names, 'socket', '../inputs-nobody-made', 'x'.repeat(300)]) {
      const fault = readInput(join(folder, name));
      expect(fault, name).toMatchObject({ kind: 'usage' });
      expect((fault as Fault).message, name).not.toMatch(/E[A-Z]{3,}|error/);
    }
    socket.close();
    for (const device of ['/dev/zero', '/dev/null', '/dev/tty'])
      expect(readInput(device)).toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('a device'),
      });
  });

  it('can be gzipped if it is intact and within the size limit', () => {
    const packed = gzipSync(formula);
    expect(gunzipped(packed, 'a.gz')).toEqual(Buffer.from(formula));
    expect(gunzipped(Buffer.from(formula), 'a')).toEqual(Buffer.from(formula));
    for (const damaged of [packed.subarray(0, 12), Buffer.from([0x1f, 0x8b, 1, 2, 3])])
      expect(gunzipped(damaged, 'a.gz')).toMatchObject({ message: 'a.gz cannot be unpacked: it is damaged' });
    const bomb = gzipSync(Buffer.alloc(3 << 20));
    expect(gunzipped(bomb, 'a.gz', { maxBytes: 2 << 20 })).toMatchObject({
      message: 'a.gz cannot be unpacked: it would be more than 2 MB',
    });
  });

  it('is limited in size even if the file system does not report the size', () => {
    const folder = temporaryFolder('inputs');
    const file = join(folder, 'a');
    writeFileSync(file, 'x'.repeat(2000));
    expect(readInput(file, { maxBytes: 2000 })).toHaveLength(2000);
    expect(readInput(file, { maxBytes: 1999 })).toMatchObject({
      message: `${file} is larger than 2 KB`,
    });
    expect(readInput('/proc/self/status', { maxBytes: 10 })).toBeInstanceOf(Fault);
    expect(readInputText('/proc/self/status')).toContain('Pid:');
  });

  it('is rejected as culprit.json if it is a device', () => {
    const folder = temporaryFolder('inputs');
    symlinkSync('/dev/zero', join(folder, 'culprit.json'));
    expect(readConfigurationFile(folder)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('a device'),
    });
  });
});

describe('a command', () => {
  it('reports an input that is not a regular file at once, with the right exit code', () => {
    const { folder, names } = menagerie();
    for (const name of [...names, '/dev/zero']) {
      if (name === 'folder') continue;
      const { stderr, exitCode } = culprit(['formula', 'check', name], { cwd: folder });
      expect([1, 2], name).toContain(exitCode);
      expect(stderr, name).not.toMatch(/E[A-Z]{4,}|bug in culprit/);
      expect(stderr.trim().split('\n'), name).toHaveLength(1);
    }
  });

  it('reads standard input to its end', () => {
    expect(culprit(['formula', 'check', '-'], { input: formula })).toMatchObject({ exitCode: 0 });
  });
});
