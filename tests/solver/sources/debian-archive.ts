import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { solverScript } from '../../stand-in-solver.js';
import { type TarMember, tarArchive } from './tar-archive.js';

/** A package of a stand-in Debian archive. */
export interface FakePackage {
  readonly name: string;
  readonly version: string;
  readonly depends?: string;
  readonly provides?: string;
  readonly files?: readonly TarMember[];
  /** Replaces the .deb built from `files`. */
  readonly deb?: Buffer;
  readonly sha256?: string;
}

/** The files of a stand-in Debian archive, by path below its address. */
export function debianArchive(
  suite: string,
  packages: readonly FakePackage[],
  architecture = 'amd64',
): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const paragraphs = packages.map((debianPackage) => {
    const deb = debianPackage.deb ?? debFile(debianPackage.files ?? []);
    const filename = `pool/main/${debianPackage.name}_${debianPackage.version}_${architecture}.deb`;
    files.set(filename, deb);
    return [
      `Package: ${debianPackage.name}`,
      `Version: ${debianPackage.version}`,
      ...(debianPackage.depends === undefined ? [] : [`Depends: ${debianPackage.depends}`]),
      ...(debianPackage.provides === undefined ? [] : [`Provides: ${debianPackage.provides}`]),
      `Filename: ${filename}`,
      `Size: ${deb.length}`,
      `SHA256: ${debianPackage.sha256 ?? sha256(deb)}`,
      'Description: a stand-in',
      ' with a second line',
      '',
    ].join('\n');
  });
  const list = gzipSync(paragraphs.join('\n'));
  const name = `main/binary-${architecture}/Packages.gz`;
  files.set(`dists/${suite}/${name}`, list);
  files.set(
    `dists/${suite}/InRelease`,
    clearSigned(`Suite: ${suite}\nSHA256:\n ${sha256(list)} ${list.length} ${name}\n`),
  );
  return files;
}

/** The form of a signed text, with an invalid signature. */
export function clearSigned(text: string): Buffer {
  return Buffer.from(
    `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${text}-----BEGIN PGP SIGNATURE-----\n\nAAAA\n` +
      '-----END PGP SIGNATURE-----\n',
  );
}

export function debFile(files: readonly TarMember[]): Buffer {
  return arArchive([
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.gz', gzipSync(tarArchive([{ name: './control', content: 'Package: x\n' }]))],
    ['data.tar.gz', gzipSync(tarArchive(files))],
  ]);
}

export function arArchive(members: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = members.map(([name, content]) => {
    const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}`;
    const head = Buffer.from(`${header}${String(content.length).padEnd(10)}\`\n`);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2, '\n')]);
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

/** A C library whose loader is a script that starts the given program. */
export const fakeLibc: FakePackage = {
  name: 'libc6',
  version: '2.31-13',
  files: [
    { name: './lib/', type: '5' },
    {
      name: './lib/x86_64-linux-gnu/ld-2.31.so',
      content: '#!/bin/sh\n[ "$1" = --inhibit-cache ] || exit 9\nshift 3\nexec "$@"\n',
      mode: 0o755,
    },
    // Absolute, and into a folder that is a link on newer systems, like the real one.
    { name: './lib64/ld-linux-x86-64.so.2', type: '2', target: '/lib/x86_64-linux-gnu/ld-2.31.so' },
    { name: './lib/x86_64-linux-gnu/libc-2.31.so', content: 'a library' },
    { name: './lib/x86_64-linux-gnu/libc.so.6', type: '2', target: 'libc-2.31.so' },
    { name: './usr/lib/x86_64-linux-gnu/gconv/UTF-7.so', content: 'not needed' },
    { name: './usr/share/doc/libc6/copyright', content: 'not needed' },
  ],
};

/** A solver that prints its version and answers sat. */
export function fakeSolver(
  name: string,
  banner: string,
  version: string,
  depends = 'libc6 (>= 2.14)',
): FakePackage {
  const content = solverScript({ banner });
  return { name, version, depends, files: [{ name: `./usr/bin/${name}`, content, mode: 0o755 }] };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
