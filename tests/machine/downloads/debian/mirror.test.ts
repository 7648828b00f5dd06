import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMirror } from '../../../../src/machine/downloads/debian/mirror.js';
import { Fault } from '../../../../src/machine/index.js';
import { type FakeMachine, fakeMachine } from '../../../solver/sources/fake-machine.js';

let fake: FakeMachine;
beforeEach(async () => {
  fake = await fakeMachine();
  await mkdir(join(fake.machine.etc, 'apt', 'sources.list.d'), { recursive: true });
  await write('os-release', 'NAME="Debian GNU/Linux"\nID=debian\n');
});
afterEach(() => fake.remove());

const write = (file: string, text: string) => writeFile(join(fake.machine.etc, file), text);

async function mirror(env: Record<string, string> = {}, debian?: string): Promise<string> {
  const machine = { ...fake.machine, env };
  const found = await findMirror(machine, debian);
  return found instanceof Fault ? found.message : found.href;
}

describe('the Debian mirror', () => {
  it('comes from the environment, else from the configuration, else from apt', async () => {
    await write('apt/sources.list', 'deb http://apt.test/debian bookworm main\n');
    expect(await mirror({ CULPRIT_DEBIAN_MIRROR: 'https://env.test/debian' }, 'https://json.test/')).toBe(
      'https://env.test/debian/',
    );
    expect(await mirror({}, 'https://json.test/debian/')).toBe('https://json.test/debian/');
    expect(await mirror()).toBe('http://apt.test/debian/');
  });

  it('is read from sources.list, without security, source and disc entries', async () => {
    await write(
      'apt/sources.list',
      [
        '# deb http://comment.test/debian bookworm main',
        'deb cdrom:[Debian]/ bookworm main',
        'deb-src http://source.test/debian bookworm main',
        'deb [signed-by=/k.gpg] http://security.test/debian-security bookworm-security main',
        'deb http://other.test/tool stable contrib',
        'deb [arch=amd64 signed-by=/k.gpg] http://mirror.test/debian bookworm contrib main # comment',
      ].join('\n'),
    );
    expect(await mirror()).toBe('http://mirror.test/debian/');
  });

  it('is read from the deb822 format', async () => {
    await write(
      'apt/sources.list.d/debian.sources',
      [
        'Types: deb\nURIs: http://off.test/debian\nSuites: bookworm\nComponents: main\nEnabled: no',
        '# a comment\nTypes: deb\nURIs: http://security.test/d\nSuites: bookworm-security\nComponents: main',
        'Types: deb deb-src\nURIs:\n http://mirror.test/debian\nSuites: bookworm bookworm-updates\nComponents: main',
      ].join('\n\n'),
    );
    expect(await mirror()).toBe('http://mirror.test/debian/');
  });

  it('is unknown on other distributions, so the user has to name one', async () => {
    await write('os-release', 'ID=ubuntu\nID_LIKE=debian\n');
    await write('apt/sources.list', 'deb http://archive.test/ubuntu noble main\n');
    expect(await mirror()).toMatch(/^no Debian mirror is known on this machine: set CULPRIT_DEBIAN_MIRROR/);
  });

  it('is rejected if it is not an http, https or file address', async () => {
    expect(await mirror({ CULPRIT_DEBIAN_MIRROR: 'ftp://mirror.test/' })).toMatch(
      /is not the address of a Debian mirror/,
    );
    expect(await mirror({ CULPRIT_DEBIAN_MIRROR: 'mirror' })).toMatch(
      /is not the address of a Debian mirror/,
    );
  });
});
