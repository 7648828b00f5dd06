import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault, type Machine } from '../../../src/machine/index.js';
import {
  addToolchain,
  findClang,
  removeToolchain,
  toolchainFolder,
} from '../../../src/program/compile/index.js';
import { compilerNeeds } from '../../../src/program/compile/needs.js';
import { debianArchive, type FakePackage } from '../../solver/sources/debian-archive.js';
import { type FakeMachine, fakeMachine } from '../../solver/sources/fake-machine.js';
import { type FileServer, serveFiles } from '../../solver/sources/file-server.js';
import { MadeProject } from './made-project.js';

/** Replaces the loader: prints its arguments, and creates a program for -o. */
const loader = `#!/bin/sh
echo "$@"
for word do
  case $before in -o) printf '#!/bin/sh\\nexit %s\\n' "\${FAKE_END-0}" >"$word" && /bin/chmod +x "$word" ;; esac
  before=$word
done
`;
const elf = '\x7fELF';
const llvm = './usr/lib/llvm-14';
const bin = `${llvm}/bin`;

const packages: readonly FakePackage[] = [
  {
    name: 'clang-14',
    version: '1:14.0.6-12',
    depends: 'libc6, binutils',
    files: [
      { name: `${bin}/clang`, content: elf, mode: 0o755 },
      { name: `${bin}/clang-14`, type: '2', target: 'clang' },
      { name: `${bin}/clang++`, type: '2', target: 'clang' },
      { name: `${bin}/a-script`, content: '#!/bin/sh\n', mode: 0o755 },
      { name: './usr/bin/clang-14', type: '2', target: '../lib/llvm-14/bin/clang' },
      // Copied as it is: a folder behind a link, and a file in it.
      { name: `${llvm}/lib/clang/14.0.6`, type: '2', target: '../../../clang/14' },
      { name: `${llvm}/lib/clang/14.0.6/include/stddef.h`, content: 'a header' },
      { name: './usr/share/doc/clang-14/copyright', content: 'not needed' },
    ],
  },
  {
    name: 'llvm-14',
    version: '1:14.0.6-12',
    depends: 'libc6',
    files: [{ name: `${bin}/opt`, content: elf, mode: 0o755 }],
  },
  { name: 'libclang-rt-14-dev', version: '1:14.0.6-12' },
  {
    name: 'binutils',
    version: '2.40-2',
    files: [
      { name: './usr/bin/x86_64-linux-gnu-ld.bfd', content: elf, mode: 0o755 },
      { name: './usr/bin/ld', type: '2', target: 'x86_64-linux-gnu-ld.bfd' },
    ],
  },
  {
    name: 'libc6',
    version: '2.36-9',
    files: [
      { name: './lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', content: loader, mode: 0o755 },
      {
        name: './lib64/ld-linux-x86-64.so.2',
        type: '2',
        target: '/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
      },
      { name: './usr/lib/x86_64-linux-gnu/gconv/UTF-7.so', content: 'not needed' },
    ],
  },
];

let fake: FakeMachine;
let server: FileServer;
let machine: Machine;

beforeEach(async () => {
  fake = await fakeMachine();
  server = await serveFiles(debianArchive('bookworm', packages));
  machine = { ...fake.machine, env: { ...fake.machine.env, CULPRIT_DEBIAN_MIRROR: server.address } };
});
afterEach(async () => {
  await server.close();
  await fake.remove();
});

const add = (env: Record<string, string> = {}) =>
  addToolchain({ machine: { ...machine, env: { ...machine.env, ...env } }, progress: () => {} });
const inside = (...parts: string[]) => join(toolchainFolder(machine), ...parts);

describe('the downloaded clang', () => {
  it('is used without one on PATH, is downloaded once, and can be removed', async () => {
    const missing = await findClang(machine);
    expect(missing).toBeInstanceOf(Fault);
    expect((missing as Fault).message).toMatch(/^there is no clang on PATH: .*`culprit tools add clang`/);
    expect((await compilerNeeds(machine))[0]).toMatchObject({
      found: undefined,
      remedy: 'culprit tools add clang',
    });

    const clang = await add();
    expect(clang).toBe(inside('bin', 'clang'));
    expect(await findClang(machine)).toBe(clang);
    const asked = server.asked.length;
    expect(await add()).toBe(clang);
    expect(server.asked.length).toBe(asked);

    expect(await removeToolchain(machine)).toBe(true);
    expect(existsSync(inside())).toBe(false);
    expect(await removeToolchain(machine)).toBe(false);
  });

  it('is one tree of all its packages, without unneeded files', async () => {
    await add();
    expect(readFileSync(inside('lib', 'clang', '14.0.6', 'include', 'stddef.h'), 'utf8')).toBe('a header');
    expect(readlinkSync(inside('root', 'usr', 'bin', 'clang-14'))).toBe('../lib/llvm-14/bin/clang');
    expect(readlinkSync(inside('root', 'lib64'))).toBe('usr/lib64');
    expect(readFileSync(inside('root', 'lib64', 'ld-linux-x86-64.so.2'), 'utf8')).toBe(loader);
    expect(existsSync(inside('root', 'usr', 'share'))).toBe(false);
    expect(existsSync(inside('root', 'usr', 'lib', 'x86_64-linux-gnu', 'gconv'))).toBe(false);
    expect(statSync(inside('root', 'usr', 'lib', 'llvm-14', 'bin', 'opt')).mode & 0o777).toBe(0o755);
    expect(JSON.parse(readFileSync(inside('manifest.json'), 'utf8')).from).toHaveLength(packages.length);
  });

  it('starts its programs through its own loader, and clang under the name it is called by', async () => {
    await add();
    for (const name of ['clang', 'clang++', 'cc', 'c++', 'opt', 'ld'])
      expect(lstatSync(inside('bin', name)).isFile()).toBe(true);
    for (const name of ['clang-14', 'a-script', 'nm']) expect(existsSync(inside('bin', name))).toBe(false);
    const project = new MadeProject();
    try {
      const libraries = inside('root', 'usr', 'lib', 'x86_64-linux-gnu');
      const start = `--inhibit-cache --library-path ${libraries}`;
      const called = (name: string, ...words: string[]) =>
        project.run(inside('bin', name), words).stdout.toString();
      expect(called('opt', '-S')).toBe(
        `${start} ${inside('root', 'usr', 'lib', 'llvm-14', 'bin', 'opt')} -S\n`,
      );
      expect(called('clang++', '-cc1', '-v')).toContain(`${start} --argv0 ${inside('bin', 'clang++')} `);
      expect(called('clang++', '-cc1', '-v')).toMatch(/bin\/clang\+\+ -cc1 -v\n$/);
      expect(called('clang', '-c', 'a.c')).toMatch(
        /bin\/clang -no-canonical-prefixes (--sysroot=\S+ )?-c a\.c\n$/,
      );
      expect(called('ld', '-r', 'a.o')).toMatch(/usr\/bin\/ld -r a\.o\n$/);
    } finally {
      project.remove();
    }
  });

  it('is removed if it does not work on this machine', async () => {
    const fault = await add({ FAKE_END: '7' });
    expect((fault as Fault).message).toBe('the clang of Debian bookworm does not work here: exit code 7');
    expect(existsSync(inside())).toBe(false);
  });

  it('needs a cache folder whose path a loader accepts', async () => {
    const fault = await add({ CULPRIT_CACHE: join(fake.folder, 'a:b') });
    expect((fault as Fault).message).toMatch(/^the cache folder must have no ":"/);
  });
});

describe('culprit-cc', () => {
  it('uses the downloaded clang if there is none on PATH', () => {
    const project = new MadeProject();
    try {
      const kind = `clang+${process.platform}-${process.arch}`;
      const folder = join(project.cache, 'tools', kind, 'bin');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'clang'), '#!/bin/sh\necho fetched "$@"\n', { mode: 0o755 });
      const only = join(project.folder, 'only');
      mkdirSync(only);
      const { stdout, stderr } = project.run('/bin/sh', ['-c', `ln -s "$(command -v uname)" '${only}'`]);
      expect(`${stdout}${stderr}`).toBe('');
      const ran = project.run(project.link('culprit-cc'), ['-E', 'area.c'], { env: { PATH: only } });
      expect(ran.stdout.toString()).toBe('fetched -E area.c\n');
    } finally {
      project.remove();
    }
  });
});
