import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { argumentList, debianToolFolder, type Machine, operands, runTool } from '../../src/machine/index.js';
import { debianArchive, type FakePackage } from '../solver/sources/debian-archive.js';
import { type FakeMachine, fakeMachine } from '../solver/sources/fake-machine.js';
import { type FileServer, serveFiles } from '../solver/sources/file-server.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { debianChromium, findBrowser } from './chromium.js';

/** Replaces the loader: it prints its arguments and a page. */
const loader = `#!/bin/sh
echo "$FONTCONFIG_FILE" "$@"
echo "\${FAKE_PAGE-<p>it starts</p>}"
`;

const packages: readonly FakePackage[] = [
  {
    name: 'chromium-headless-shell',
    version: '150.0-1',
    depends: 'libc6, chromium-common',
    files: [
      { name: './usr/bin/chromium-headless-shell', content: 'not needed', mode: 0o755 },
      { name: './usr/lib/chromium/chromium-headless-shell', content: 'a program', mode: 0o755 },
      { name: './usr/lib/chromium/headless_lib_data.pak', content: 'data' },
    ],
  },
  {
    name: 'chromium-common',
    version: '150.0-1',
    depends: 'x11-utils, xdg-utils',
    files: [
      { name: './usr/lib/chromium/icudtl.dat', content: 'data' },
      { name: './usr/lib/chromium/libGLESv2.so', content: 'not needed' },
    ],
  },
  {
    name: 'fonts-dejavu-core',
    version: '2.37-6',
    files: [{ name: './usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', content: 'a font' }],
  },
  {
    name: 'libc6',
    version: '2.36-9',
    files: [{ name: './lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', content: loader, mode: 0o755 }],
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

const find = (env: Record<string, string> = {}, fonts = fontsFolder()) =>
  findBrowser({ machine: { ...machine, env: { ...machine.env, ...env } }, progress: () => {} }, fonts);
const fontsFolder = (): string => {
  const folder = temporaryFolder('fonts');
  writeFileSync(join(folder, 'DejaVuSans.ttf'), 'a font');
  return folder;
};
const inside = (...parts: string[]) => join(debianToolFolder(debianChromium, machine), ...parts);

describe('browser for tests', () => {
  it('is the first on PATH that shows a page, without a download', async () => {
    await fake.install('chromium', 'console.log("sudo snap install chromium"); process.exitCode = 1;');
    const works = await fake.install('google-chrome', 'console.log("<body><p>it starts</p></body>");');
    expect(await find()).toBe(works);
    expect(server.asked).toEqual([]);
  });

  it('is downloaded if the machine lacks the fonts', async () => {
    await fake.install('chromium', 'console.log("<body><p>it starts</p></body>");');
    expect(await find({}, temporaryFolder('no-fonts'))).toBe(inside('bin', 'chromium'));
  });

  it('is downloaded once if none is installed, with its data and a font, without display libraries', async () => {
    expect(await find()).toBe(inside('bin', 'chromium'));
    for (const path of [
      'chromium/icudtl.dat',
      'chromium/headless_lib_data.pak',
      'chromium/ld-linux-x86-64.so.2',
    ])
      expect(existsSync(inside('root', 'usr', 'lib', path))).toBe(true);
    expect(existsSync(inside('root', 'usr', 'share', 'fonts', 'truetype', 'dejavu', 'DejaVuSans.ttf'))).toBe(
      true,
    );
    for (const path of ['usr/bin', 'usr/lib/chromium/libGLESv2.so'])
      expect(existsSync(inside('root', path))).toBe(false);
    expect(JSON.parse(readFileSync(inside('manifest.json'), 'utf8')).from).toHaveLength(packages.length);
    const asked = server.asked.length;
    expect(await find()).toBe(inside('bin', 'chromium'));
    expect(server.asked).toHaveLength(asked);
  });

  it('starts through the loader next to its data, and starts its parts by the same script', async () => {
    const chromium = withoutFault(await find());
    const home = inside('root', 'usr', 'lib', 'chromium');
    const libraries = inside('root', 'usr', 'lib', 'x86_64-linux-gnu');
    const called = async (...words: string[]) => {
      const end = withoutFault(
        await runTool(argumentList(chromium, operands(...words)), machine, { timeoutMs: 60_000 }),
      );
      return end.stdout.toString();
    };
    const start = `${inside('fonts.conf')} --inhibit-cache --library-path ${libraries}:${libraries}/pulseaudio ${home}/chromium-headless-shell`;
    expect(await called('page.html')).toBe(
      `${start} --no-sandbox --no-zygote --browser-subprocess-path=${chromium} -- page.html\n<p>it starts</p>\n`,
    );
    expect(await called('--type=renderer')).toBe(`${start} -- --type=renderer\n<p>it starts</p>\n`);
  });

  it('is removed if it does not start', async () => {
    const fault = await find({ FAKE_PAGE: 'no usable sandbox' });
    expect(fault).toMatchObject({
      message: 'the chromium of Debian bookworm does not work here: no usable sandbox',
    });
    expect(existsSync(inside())).toBe(false);
  });
});
