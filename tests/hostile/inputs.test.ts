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

/** A folder with everything in it that is no regular file; each of them would hang or never end when it is read. */
function menagerie(): { readonly folder: string; readonly names: readonly string[] } {
  const folder = temporaryFolder('inputs');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  mkdirSync(join(folder, 'folder'));
  symlinkSync('/dev/zero', join(folder, 'link-to-zero'));
  symlinkSync('circle', join(folder, 'circle'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  return { folder, names: ['pipe', 'folder', 'link-to-zero', 'circle', 'dangling'] };
}

describe('what is read from outside', () => {
  it('is a regular file, also by way of a link or a second name', () => {
    const folder = temporaryFolder('inputs');
    const file = join(folder, 'a.smt2');
    writeFileSync(file, formula);
    symlinkSync(file, join(folder, 'link.smt2'));
    linkSync(file, join(folder, 'second.smt2'));
    for (const name of ['a.smt2', 'link.smt2', 'second.smt2'])
      expect(readInputText(join(folder, name))).toBe(formula);
  });

  it('is nothing else: one sentence names what it is', async () => {
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

  it('may be packed, as long as it is whole and not too large', () => {
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

  it('is bounded, also where a file does not say how large it is', () => {
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

  it('is no device and no pipe as culprit.json either', () => {
    const folder = temporaryFolder('inputs');
    symlinkSync('/dev/zero', join(folder, 'culprit.json'));
    expect(readConfigurationFile(folder)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('a device'),
    });
  });
});

describe('a command given no regular file', () => {
  it('says so, with the right exit code and at once', () => {
    const { folder, names } = menagerie();
    for (const name of [...names, '/dev/zero']) {
      if (name === 'folder') continue;
      const { stderr, exitCode } = culprit(['formula', 'check', name], { cwd: folder });
      expect([1, 2], name).toContain(exitCode);
      expect(stderr, name).not.toMatch(/E[A-Z]{4,}|bug in culprit/);
      expect(stderr.trim().split('\n'), name).toHaveLength(1);
    }
  });

  it('reads standard input as far as it goes', () => {
    expect(culprit(['formula', 'check', '-'], { input: formula })).toMatchObject({ exitCode: 0 });
  });
});
