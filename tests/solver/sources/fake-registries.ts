import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FakeMachine } from './fake-machine.js';
import { type TarMember, tarArchive } from './tar-archive.js';

/** A package of the stand-in npm. */
export interface FakeNpmPackage {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Record<string, string>;
  readonly files: readonly TarMember[];
  /** Replaces the real integrity. */
  readonly integrity?: string;
}

/** A release of Z3 as packaged by npm. */
export function fakeZ3Package(version: string, more: Partial<FakeNpmPackage> = {}): FakeNpmPackage {
  const files = [
    { name: 'package/package.json', content: JSON.stringify({ name: 'z3-solver', version }) },
    { name: 'package/build/z3-built.js', content: 'module.exports = {}' },
    { name: 'package/build/z3-built.wasm', content: '\0asm\x01\0\0\0' },
  ];
  return { name: 'z3-solver', version, files, ...more };
}

/** Installs an `npm` with these packages. It appends each of its calls to the returned file. */
export async function installNpm(fake: FakeMachine, packages: readonly FakeNpmPackage[]): Promise<string> {
  const calls = join(fake.folder, 'npm-calls');
  const known = packages.map(({ files, integrity, ...one }) => {
    const tarball = gzipSync(tarArchive(files));
    const real = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    return { ...one, tarball: tarball.toString('base64'), integrity: integrity ?? real };
  });
  await fake.install(
    'npm',
    `
    const { appendFileSync, writeFileSync } = require('node:fs');
    const known = ${JSON.stringify(known)};
    const [command, ...words] = process.argv.slice(2);
    // The options come first, and the package follows after "--".
    const [spec, ...rest] = words.slice(words.indexOf('--') + 1);
    appendFileSync(${JSON.stringify(calls)}, command + ' ' + spec + '\\n');
    const at = spec.lastIndexOf('@');
    const name = at > 0 ? spec.slice(0, at) : spec;
    const range = at > 0 ? spec.slice(at + 1) : '';
    const matches = known.filter((release) => release.name === name && (range === '' || range.startsWith('^') || release.version === range));
    if (matches.length === 0) {
      console.log(JSON.stringify({ error: { code: 'E404', summary: 'No match found for version ' + range } }));
      process.exit(1);
    }
    if (rest[0] === 'versions') console.log(JSON.stringify(matches.map(({ version }) => version)));
    else if (command === 'view') {
      const answers = matches.map(({ version, integrity, dependencies }) => ({ version, 'dist.integrity': integrity, dependencies }));
      console.log(JSON.stringify(answers.length === 1 ? answers[0] : answers));
    } else {
      const folder = words.find((word) => word.startsWith('--pack-destination=')).split('=')[1];
      writeFileSync(folder + '/' + name + '.tgz', Buffer.from(matches[0].tarball, 'base64'));
      console.log('[]');
    }`,
  );
  await writeFile(calls, '');
  return calls;
}

/** How the stand-in pip fails; see its messages. */
export interface FakePip {
  /** Releases with a wheel for this machine, oldest first. */
  readonly releases?: readonly string[];
  /** The version that the program in a wheel prints, if not the release's number. */
  readonly banner?: string;
  readonly failure?: 'no module' | 'no network' | 'breaks off' | 'no program';
}

/** Installs a `python3` with pip whose wheels consist of the program alone. */
export async function installPip(
  fake: FakeMachine,
  { releases = [], banner, failure }: FakePip,
): Promise<void> {
  await fake.install(
    'python3',
    `
    const { copyFileSync, mkdirSync, writeFileSync } = require('node:fs');
    const args = process.argv.slice(2);
    const failure = ${JSON.stringify(failure ?? '')};
    const fail = (message) => { console.error(message); process.exit(1); };
    if (args[0] === '-c') {
      if (failure === 'no program') fail('no program in it');
      copyFileSync(args[2], args[3]);
      process.exit(0);
    }
    if (failure === 'no module') fail('/usr/bin/python3: No module named pip');
    const releases = ${JSON.stringify(releases)};
    const wanted = args.at(-1).split('==')[1];
    if (failure === 'no network') console.error("WARNING: Retrying after connection broken by 'NewConnectionError'");
    const listed = failure === 'no network' ? [] : releases;
    if (!listed.includes(wanted)) {
      fail('ERROR: Could not find a version that satisfies the requirement (from versions: ' + (listed.join(', ') || 'none') + ')');
    }
    if (failure === 'breaks off') fail('ERROR: Connection broken: IncompleteRead(1000 bytes read)');
    const dest = args[args.indexOf('--dest') + 1];
    mkdirSync(dest);
    const number = wanted.split('.').slice(0, 3).join('.');
    const banner = ${JSON.stringify(banner ?? '')} || 'Z3 version ' + number + ' - 64 bit';
    writeFileSync(dest + '/z3_solver-' + wanted + '-any.whl', '#!/bin/sh\\n[ "$1" = --version ] && echo "' + banner + '" || echo sat\\n');
    `,
  );
}
