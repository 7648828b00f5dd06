import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar, safeParts } from '../../../src/machine/downloads/tar.js';
import { Fault } from '../../../src/machine/fault.js';
import { tarArchive } from '../../solver/sources/tar-archive.js';

describe('readTar', () => {
  it('reads files, links and long names', () => {
    const long = `./${'folder/'.repeat(30)}z3`;
    const members = readTar(
      tarArchive([
        { name: './usr/bin/z3', content: 'x'.repeat(700), mode: 0o755 },
        { name: './lib64', type: '2', target: 'usr/lib64' },
        { name: long, content: 'y' },
      ]),
      'A test',
    );
    expect(members).toMatchObject([
      { name: './usr/bin/z3', type: 'file', executable: true, content: Buffer.from('x'.repeat(700)) },
      { name: './lib64', type: 'symlink', target: 'usr/lib64' },
      { name: long, type: 'file', content: Buffer.from('y') },
    ]);
  });

  it('reads names from pax headers', () => {
    const record = '27 path=usr/bin/a-long-one\n';
    const archive = tarArchive([
      { name: 'pax', type: 'x', content: record },
      { name: 'short', content: 'z' },
    ]);
    expect(readTar(archive, 'A test')).toMatchObject([{ name: 'usr/bin/a-long-one' }]);
  });

  it('rejects a truncated archive', () => {
    const archive = tarArchive([
      { name: 'a', content: 'x'.repeat(2000) },
      { name: 'b', content: 'y' },
    ]);
    for (const length of [0, 100, 512, 1000, 2560, archive.length - 1024]) {
      expect(readTar(archive.subarray(0, length), 'A test')).toBeInstanceOf(Fault);
    }
  });

  it('returns members or a fault for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        readTar(Buffer.from(bytes), 'A test');
      }),
    );
    expect(readTar(gzipSync('not a tar'), 'A test')).toBeInstanceOf(Fault);
  });
});

describe('safeParts', () => {
  it.each([
    ['./usr/bin/z3', ['usr', 'bin', 'z3']],
    ['package/a', ['package', 'a']],
    ['./', []],
    ['/etc/passwd', undefined],
    ['../up', undefined],
    ['a/../../up', undefined],
    ['a\0b', undefined],
  ])('splits %s or rejects it', (name, parts) => {
    expect(safeParts(name)).toEqual(parts);
  });
});
