import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAr } from '../../../src/machine/downloads/debian/ar.js';
import { dependencyClosure } from '../../../src/machine/downloads/debian/closure.js';
import { compareDebianVersions } from '../../../src/machine/downloads/debian/order.js';
import { readPackageIndex } from '../../../src/machine/downloads/debian/packages.js';
import { verifySignature } from '../../../src/machine/downloads/debian/signature.js';
import { decompress, Fault } from '../../../src/machine/index.js';
import { addDebian, debian } from '../../../src/solver/sources/debian.js';
import type { SolverSurroundings } from '../../../src/solver/sources/source.js';
import type { Entry } from '../../../src/solver/version/store.js';
import {
  arArchive,
  debFile,
  debianArchive,
  type FakePackage,
  fakeLibc,
  fakeSolver,
  sha256,
} from './debian-archive.js';
import { type FakeMachine, fakeMachine } from './fake-machine.js';
import { type FileServer, serveFiles } from './file-server.js';

const z3 = fakeSolver('z3', 'Z3 version 4.8.10 - 64 bit', '4.8.10-1');
let fake: FakeMachine;
let server: FileServer | undefined;

beforeEach(async () => {
  fake = await fakeMachine();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await fake.remove();
});

/** Serves an archive and points the machine at it. */
async function at(files: Map<string, Buffer>, env: Record<string, string> = {}): Promise<SolverSurroundings> {
  server = await serveFiles(files);
  const { machine } = fake;
  return {
    ...fake.around,
    machine: { ...machine, env: { ...machine.env, CULPRIT_DEBIAN_MIRROR: server.address, ...env } },
  };
}

async function addFrom(packages: readonly FakePackage[]): Promise<Entry | Fault> {
  return addDebian('bullseye', 'z3', await at(debianArchive('bullseye', packages)));
}

function message(result: unknown): string {
  expect(result).toBeInstanceOf(Fault);
  return (result as Fault).message;
}

describe('a package from a Debian archive', () => {
  it('runs through its own loader, with only the libraries it needs', async () => {
    const entry = (await addFrom([z3, fakeLibc])) as Entry;
    const lib = join(entry.dir, 'lib');
    expect(entry.program).toEqual({
      kind: 'native',
      command: [
        join(lib, 'ld-linux-x86-64.so.2'),
        '--inhibit-cache',
        '--library-path',
        lib,
        join(entry.dir, 'bin', 'z3'),
      ],
    });
    expect(entry.manifest).toMatchObject({
      spec: 'debian:bullseye/z3',
      number: '4.8.10',
      platform: 'linux-x64',
    });
    expect(entry.manifest.trust).toMatch(/signature not checked \(switched off\)/);
    expect(entry.manifest.from.map(({ file }) => file)).toEqual([
      `${server?.address}pool/main/z3_4.8.10-1_amd64.deb`,
      `${server?.address}pool/main/libc6_2.31-13_amd64.deb`,
    ]);
    expect((await readdir(lib)).sort()).toEqual([
      'ld-2.31.so',
      'ld-linux-x86-64.so.2',
      'libc-2.31.so',
      'libc.so.6',
    ]);
    expect((await stat(join(entry.dir, 'bin', 'z3'))).mode & 0o777).toBe(0o755);
    expect((await readdir(entry.dir)).sort()).toEqual(['bin', 'lib', 'manifest.json']);
  });

  it('is downloaded once', async () => {
    const around = await at(debianArchive('bullseye', [z3, fakeLibc]));
    await addDebian('bullseye', 'z3', around);
    const { length } = server?.asked ?? [];
    expect(await addDebian('bullseye', 'z3', around)).toHaveProperty('manifest.number', '4.8.10');
    expect(server?.asked).toHaveLength(length);
  });

  it('is chosen for the machine’s architecture', async () => {
    await fake.remove();
    fake = await fakeMachine({}, 'arm64');
    const libc = {
      ...fakeLibc,
      files: [
        {
          name: './usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1',
          content: '#!/bin/sh\nshift 3\nexec "$@"\n',
        },
      ],
    };
    const around = await at(debianArchive('bullseye', [z3, libc], 'arm64'));
    const entry = (await addDebian('bullseye', 'z3', around)) as Entry;
    expect(entry.manifest.platform).toBe('linux-arm64');
    expect(entry.program).toMatchObject({
      command: [
        join(entry.dir, 'lib', 'ld-linux-aarch64.so.1'),
        '--inhibit-cache',
        '--library-path',
        join(entry.dir, 'lib'),
        join(entry.dir, 'bin', 'z3'),
      ],
    });
  });

  it('is found through the index’s hash if the archive offers that', async () => {
    const files = debianArchive('bullseye', [z3, fakeLibc]);
    const name = 'dists/bullseye/main/binary-amd64/Packages.gz';
    const list = files.get(name) ?? Buffer.alloc(0);
    files.delete(name);
    files.set(`dists/bullseye/main/binary-amd64/by-hash/SHA256/${sha256(list)}`, list);
    const release = files
      .get('dists/bullseye/InRelease')
      ?.toString()
      .replace('Suite:', 'Acquire-By-Hash: yes\nSuite:');
    files.set('dists/bullseye/InRelease', Buffer.from(release ?? ''));
    expect(await addDebian('bullseye', 'z3', await at(files))).toHaveProperty('manifest.number', '4.8.10');
  });

  it('is not offered on machines that cannot run it', async () => {
    const around = await at(new Map());
    const on = (more: object) => debian.offers('z3', { ...around, machine: { ...around.machine, ...more } });
    expect(message(await on({ platform: 'darwin' }))).toMatch(/run on Linux, and this machine runs darwin/);
    expect(message(await on({ arch: 's390x' }))).toMatch(/only on x64 and arm64/);
    expect(await on({})).toHaveLength(3);
  });
});

describe('a damaged Debian archive', () => {
  it('is rejected for a .deb that differs from its index', async () => {
    const wrong = await addFrom([z3, { ...fakeLibc, sha256: '0'.repeat(64) }]);
    expect(message(wrong)).toMatch(
      /^the Debian package libc6 2\.31-13 could not be fetched from .*: its checksum is not/,
    );
    expect(await fake.around.store.entries()).toEqual([]);
  });

  it('is rejected for an index that differs from its release file', async () => {
    const files = debianArchive('bullseye', [z3, fakeLibc]);
    const other = debianArchive('bullseye', [z3]);
    files.set('dists/bullseye/InRelease', other.get('dists/bullseye/InRelease') ?? Buffer.alloc(0));
    expect(message(await addDebian('bullseye', 'z3', await at(files)))).toMatch(
      /^the package list of Debian bullseye/,
    );
  });

  it('is rejected if it breaks off in the middle of a package', async () => {
    const around = await at(debianArchive('bullseye', [z3, fakeLibc]));
    const breakOff = (_: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-length': 5000 });
      response.write('!<arch>\n', () => response.destroy());
    };
    const path = 'pool/main/libc6_2.31-13_amd64.deb';
    server?.instead.set(path, [breakOff, breakOff, breakOff]);
    expect(message(await addDebian('bullseye', 'z3', around))).toMatch(/libc6 .*: the connection broke off$/);
    expect(await fake.around.store.entries()).toEqual([]);
    server?.instead.set(path, [breakOff]);
    expect(await addDebian('bullseye', 'z3', around)).toHaveProperty('manifest.number', '4.8.10');
  });

  it('is given up when the user interrupts', async () => {
    const around = await at(debianArchive('bullseye', [z3, fakeLibc]));
    const controller = new AbortController();
    const reason = new Error('interrupted by the user');
    const hang = () => controller.abort(reason);
    server?.instead.set('pool/main/libc6_2.31-13_amd64.deb', [hang]);
    await expect(addDebian('bullseye', 'z3', { ...around, signal: controller.signal })).rejects.toBe(reason);
    expect(await readdir(join(around.store.dir, 'solvers'))).toEqual([]);
  });

  it('is rejected without the requested suite, package or dependency', async () => {
    const around = await at(debianArchive('bullseye', [z3]));
    expect(message(await addDebian('bulseye', 'z3', around))).toMatch(/has no suite "bulseye"$/);
    expect(message(await addDebian('bullseye', 'cvc5', around))).toBe(
      'there is no package cvc5 in Debian bullseye (amd64)',
    );
    expect(message(await addDebian('bullseye', 'z3', around))).toMatch(
      /is incomplete: z3 depends on libc6, which/,
    );
  });

  it('is rejected if the suite has moved to another release', async () => {
    const around = await at(debianArchive('bullseye', [z3, fakeLibc]));
    const moved = await addDebian('bullseye', 'z3', around, '4.8.9');
    expect(message(moved)).toBe('Debian bullseye now has z3 4.8.10, not 4.8.9');
    expect(server?.asked.some((path) => path.startsWith('pool/'))).toBe(false);
  });

  it('is rejected for a program that does not run', async () => {
    const silent = { ...z3, files: [{ name: './usr/bin/z3', content: '#!/bin/sh\nexit 3\n', mode: 0o755 }] };
    expect(message(await addFrom([silent, fakeLibc]))).toMatch(
      /does not run here: .* failed with exit code 3$/,
    );
    const empty = { ...z3, files: [] };
    expect(message(await addFrom([empty, fakeLibc]))).toMatch(/package z3 holds no usr\/bin\/z3$/);
  });

  it.each([
    ['an absolute name', { name: '/etc/cron.d/evil', content: 'x' }],
    ['a name that goes up', { name: './usr/../../evil', content: 'x' }],
    ['a link that goes up', { name: './usr/lib/evil.so', type: '2', target: '../../../etc/passwd' }],
    ['a hard link that goes up', { name: './usr/lib/evil.so', type: '1', target: '../etc/passwd' }],
    ['a hard link to an absolute name', { name: './usr/lib/evil.so', type: '1', target: '/etc/passwd' }],
  ])('is rejected for a package with %s', async (_, member) => {
    const evil = { ...fakeLibc, files: [...(fakeLibc.files ?? []), member] };
    expect(message(await addFrom([z3, evil]))).toMatch(
      /libc6 2\.31-13 holds ".*", which leads out of its folder/,
    );
    expect(await fake.around.store.entries()).toEqual([]);
  });

  it('cannot make culprit read or write through links', async () => {
    const evil = {
      ...fakeLibc,
      files: [
        ...(fakeLibc.files ?? []),
        // Absolute paths refer to the package's own tree, never to the machine's files.
        { name: './usr/lib/passwd.so', type: '2', target: '/etc/passwd' },
        { name: './usr/a/b/c', type: '2', target: '/usr' },
        { name: './usr/a/b/c/lib/up.so', type: '2', target: '/lib/x86_64-linux-gnu/libc-2.31.so' },
        { name: './usr/lib/loop-a.so', type: '2', target: 'loop-b.so' },
        { name: './usr/lib/loop-b.so', type: '2', target: 'loop-a.so' },
        { name: './usr/lib64', type: '2', target: '../../usr/lib' },
      ],
    };
    expect(message(await addFrom([z3, evil]))).toMatch(/"\.\/usr\/lib64" -> "\.\.\/\.\.\/usr\/lib"/);
    const entry = (await addFrom([z3, { ...evil, files: evil.files.slice(0, -1) }])) as Entry;
    const lib = join(entry.dir, 'lib');
    expect((await readdir(lib)).sort()).toEqual([
      'ld-2.31.so',
      'ld-linux-x86-64.so.2',
      'libc-2.31.so',
      'libc.so.6',
    ]);
    for (const name of await readdir(lib)) {
      const isLink = (await lstat(join(lib, name))).isSymbolicLink();
      if (isLink) expect(await readFile(join(lib, name))).toBeTruthy();
    }
  });

  it('is rejected for a file that is no package', async () => {
    expect(message(await addFrom([z3, { ...fakeLibc, deb: Buffer.from('garbage') }]))).toMatch(/is damaged/);
    const hollow = arArchive([['debian-binary', Buffer.from('2.0\n')]]);
    expect(message(await addFrom([z3, { ...fakeLibc, deb: hollow }]))).toMatch(
      /is damaged: it holds no files/,
    );
    const cut = debFile(fakeLibc.files ?? []).subarray(0, 300);
    expect(message(await addFrom([z3, { ...fakeLibc, deb: Buffer.from(cut) }]))).toMatch(/is damaged/);
  });

  it('is rejected for any garbage in place of a package', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const parts = readAr(Buffer.concat([Buffer.from('!<arch>\n'), bytes]), 'A test');
        expect(parts instanceof Fault || parts.size >= 0).toBe(true);
      }),
    );
  });
});

describe('an archive’s signature', () => {
  const files = () => debianArchive('bullseye', [z3, fakeLibc]);
  const env = { CULPRIT_DEBIAN_KEYRING: '/keys.gpg' };
  /** Acts as gpgv: prints the signed text and its verdict. */
  const gpgv = (status: string) =>
    fake.install(
      'gpgv',
      `const text = require('node:fs').readFileSync(process.argv.at(-1), 'utf8');
       process.stdout.write(text.split('\\n\\n').slice(1).join('\\n\\n').split('-----BEGIN')[0]);
       process.stderr.write('[GNUPG:] NEWSIG\\n[GNUPG:] ${status} 1234\\n');`,
    );

  it('is checked with gpgv and the given keys', async () => {
    await gpgv('VALIDSIG');
    const entry = (await addDebian('bullseye', 'z3', await at(files(), env))) as Entry;
    expect(entry.manifest.trust).toBe("the archive's signature");
    expect(await readdir(entry.dir)).not.toContain('InRelease');
  });

  it('makes culprit reject the archive if it is bad', async () => {
    await gpgv('BADSIG');
    expect(message(await addDebian('bullseye', 'z3', await at(files(), env)))).toMatch(/has a bad signature/);
  });

  it('makes culprit reject the archive if its key is unknown', async () => {
    await gpgv('ERRSIG');
    const refused = await addDebian('bullseye', 'z3', await at(files(), env));
    expect(message(refused)).toMatch(/is not signed by any key in \/keys\.gpg: bring .* up to date, or set/);
  });

  it('is reported as unchecked if there is no gpgv', async () => {
    const entry = (await addDebian('bullseye', 'z3', await at(files(), env))) as Entry;
    expect(entry.manifest.trust).toMatch(/not checked \(gpgv is not installed\)/);
    expect(fake.progress.join('\n')).toMatch(/signature not checked/);
  });

  it('is skipped at any length, complete or cut off', async () => {
    const text = `${'Hash: 0123456789abcdef 1234 main/binary-amd64/Packages.xz\n'.repeat(2000)}- -dashes`;
    const signed = (end: string) =>
      verifySignature(
        Buffer.from(`-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${text}\n${end}`),
        'the index',
        fake.machine.cwd,
        { ...fake.machine, env: { ...fake.machine.env, CULPRIT_DEBIAN_KEYRING: 'none' } },
      );
    expect(await signed('-----BEGIN PGP SIGNATURE-----\n…')).toMatchObject({
      text: text.replace('- -dashes', '-dashes'),
      verified: false,
    });
    expect(message(await signed(''))).toMatch(/is damaged: it is not a signed index/);
  });
});

describe('dependencies', () => {
  const index = (packages: readonly Partial<FakePackage>[]) =>
    readPackageIndex(
      packages
        .map(
          ({ name, version = '1.0', depends = '', provides = '' }) =>
            `Package: ${name}\nVersion: ${version}\nDepends: ${depends}\nProvides: ${provides}\nFilename: f\nSize: 1\nSHA256: 0\n`,
        )
        .join('\n'),
    );
  const closure = (packages: readonly Partial<FakePackage>[], without: readonly string[] = []) => {
    const chosen = dependencyClosure(index(packages), ['a'], 'the test', without);
    return chosen instanceof Fault ? chosen.message : chosen.map(({ name, version }) => `${name} ${version}`);
  };

  it('are followed once in a cycle', () => {
    expect(closure([{ name: 'a', depends: 'b' }, { name: 'b', depends: 'a, c:any' }, { name: 'c' }])).toEqual(
      ['a 1.0', 'b 1.0', 'c 1.0'],
    );
  });

  it('use the first available alternative', () => {
    const packages = [{ name: 'a', depends: 'x (>= 2) | y' }, { name: 'x', version: '1.9' }, { name: 'y' }];
    expect(closure(packages)).toEqual(['a 1.0', 'y 1.0']);
  });

  it('are met by chosen packages', () => {
    const packages = [{ name: 'a', depends: 'y, x | y' }, { name: 'x' }, { name: 'y' }];
    expect(closure(packages)).toEqual(['a 1.0', 'y 1.0']);
  });

  it('bring nothing along if they are excluded and no other package needs them', () => {
    const packages = [
      { name: 'a', depends: 'b, c' },
      { name: 'b', depends: 'd, e' },
      { name: 'c', depends: 'd' },
      { name: 'd' },
      { name: 'e' },
    ];
    expect(closure(packages, ['b'])).toEqual(['a 1.0', 'c 1.0', 'd 1.0']);
  });

  it('are met by packages that provide a name', () => {
    const virtual = [
      { name: 'a', depends: 'mail' },
      { name: 'postman', provides: 'mail' },
    ];
    expect(closure(virtual)).toEqual(['a 1.0', 'postman 1.0']);
    const versioned = [
      { name: 'a', depends: 'mail (>= 3)' },
      { name: 'p', provides: 'mail' },
      { name: 'q', provides: 'mail (= 3.1)' },
    ];
    expect(closure(versioned)).toEqual(['a 1.0', 'q 1.0']);
  });

  it('use the newest of several versions', () => {
    const packages = [
      { name: 'a', depends: 'b' },
      { name: 'b', version: '1.9' },
      { name: 'b', version: '1.10' },
    ];
    expect(closure(packages)).toEqual(['a 1.0', 'b 1.10']);
  });

  it('are reported if no package meets them', () => {
    expect(closure([{ name: 'a', depends: 'b | c (= 2)' }])).toMatch(/a depends on b or c, which is missing/);
  });

  it.each([
    ['1.0', '1.0', 0],
    ['1.9', '1.10', -1],
    ['1.0~rc1', '1.0', -1],
    ['1.0-1', '1.0-1+b1', -1],
    ['1:0.9', '1.0', 1],
    ['1.0a', '1.0+', -1],
    ['4.8.12-3.1', '4.8.12-3', 1],
    ['2.31-13+deb11u11', '2.31-13+deb11u9', 1],
  ])('order %s against %s', (a, b, sign) => {
    expect(Math.sign(compareDebianVersions(a, b))).toBe(sign);
    expect(Math.sign(compareDebianVersions(b, a))).toBe(-sign + 0);
  });
});

describe('decompress', () => {
  /** The word "content". */
  const packed = Buffer.from(
    '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAGY29udGVudAAA3I01Iv/BR3sAAR8HFi64cx+2830BAAAAAARZWg==',
    'base64',
  );

  it('unpacks xz with the machine’s program', async () => {
    await fake.install(
      'xz',
      `const packed = require('node:fs').readFileSync(0);
       if (process.argv[2] !== '-dc' || packed.length < 30) {
         console.error('xz: unexpected end of input');
         process.exit(1);
       }
       process.stdout.write('by the program');`,
    );
    expect(String(await decompress(packed, 'data.tar.xz', fake.machine))).toBe('by the program');
    expect(message(await decompress(packed.subarray(0, 20), 'data.tar.xz', fake.machine))).toBe(
      'data.tar.xz is damaged: xz: unexpected end of input',
    );
  });

  it('unpacks xz without a program on the machine', async () => {
    expect(String(await decompress(packed, 'data.tar.xz', fake.machine))).toBe('content');
    for (const damaged of [packed.subarray(0, 20), Buffer.alloc(0), Buffer.alloc(100, 7)])
      expect(message(await decompress(damaged, 'data.tar.xz', fake.machine))).toMatch(/is damaged/);
  });

  it.skipIf('zstdDecompressSync' in zlib)('names the missing program', async () => {
    const missing = await decompress(Buffer.alloc(0), 'data.tar.zst', fake.machine);
    expect(message(missing)).toBe('decompressing data.tar.zst needs zstd, which is not installed');
  });
});
