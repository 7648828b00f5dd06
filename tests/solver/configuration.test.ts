import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  configurationFolder,
  emptyConfiguration,
  readConfiguration,
} from '../../src/solver/version/configuration.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('configuration');
});
afterEach(() => removeFolder(folder));

const read = async (text: string) => {
  await writeFile(join(folder, 'culprit.json'), text);
  return readConfiguration(folder);
};

describe('culprit.json', () => {
  it('may be missing, or say nothing', async () => {
    expect(await readConfiguration(folder)).toEqual(emptyConfiguration);
    expect(await read('{}')).toEqual(emptyConfiguration);
  });

  it('is the nearest above where there is none, and paths in it are meant from there', async () => {
    const below = join(folder, 'a', 'b');
    await mkdir(below, { recursive: true });
    const solvers = { near: { command: ['./bin/x', '{file}'] }, far: { command: ['x', './y'] } };
    await read(JSON.stringify({ solvers }));
    expect(configurationFolder(below)).toBe(folder);
    expect(await readConfiguration(below)).toMatchObject({
      solvers: { near: { command: [join(folder, 'bin', 'x'), '{file}'] }, far: { command: ['x', './y'] } },
    });
    expect(await readConfiguration(folder)).toMatchObject({ solvers });
    await writeFile(join(folder, 'a', 'culprit.json'), '{}');
    expect(await readConfiguration(below)).toEqual(emptyConfiguration);
  });

  it('above is taken only if it is the user’s own', async () => {
    const below = join(folder, 'a');
    await mkdir(below);
    await read('{"solvers": {"mine": {"command": ["x"]}}}');
    const whoever = vi.spyOn(process, 'getuid').mockReturnValue(4711);
    expect(await readConfiguration(below)).toEqual(emptyConfiguration);
    // What stands in the folder itself is somebody's who can be asked about it.
    expect(await readConfiguration(folder)).toMatchObject({ solvers: { mine: {} } });
    whoever.mockRestore();
  });

  it('above is not taken where the link or what it leads to is somebody else’s', async () => {
    const below = join(folder, 'shared', 'mine');
    await mkdir(below, { recursive: true });
    await read('{}');
    await symlink(join(folder, 'culprit.json'), join(folder, 'shared', 'culprit.json'));
    expect(configurationFolder(below)).toBe(join(folder, 'shared'));
    const own = process.getuid?.() ?? 0;
    for (const owners of [
      [own + 1, own],
      [own, own + 1],
    ]) {
      const asked = vi.spyOn(process, 'getuid');
      for (const owner of owners) asked.mockReturnValueOnce(owner);
      // The next above is the user's own again.
      asked.mockReturnValue(own);
      expect(configurationFolder(below)).toBe(folder);
      asked.mockRestore();
    }
  });

  it('defines solvers and mirrors', async () => {
    const solvers = {
      mine: { command: ['/opt/x', '{file}'], dialect: '2.5', version: '1.0' },
      plain: { command: ['x'] },
    };
    const mirrors = { debian: 'https://mirror.test/debian' };
    expect(await read(JSON.stringify({ $schema: './schema.json', solvers, mirrors, triage: [] }))).toEqual({
      solvers: { mine: solvers.mine, plain: { command: ['x'], dialect: '2.6', version: 'unknown' } },
      mirrors,
    });
  });

  it.each([
    ['{', /is not JSON/],
    [
      '{"solvers": {"mine": {"command": []}}}',
      /solvers\.mine\.command: the command needs at least the program/,
    ],
    ['{"solvers": {"mine": {"command": ["x"], "dialect": "3"}}}', /solvers\.mine\.dialect/],
    [
      '{"solvers": {"mine": {"command": ["x"], "dialekt": "2.6"}}}',
      /solvers\.mine: "dialekt" is not known: did you mean "dialect"\?$/,
    ],
    ['{"solver": {}}', /culprit\.json: "solver" is not known: did you mean "solvers"\?$/],
    [
      '{"frobnicate": 1}',
      /"frobnicate" is not known: there are \$schema, solvers, mirrors, builders, triage$/,
    ],
    ['{"mirrors": {"fedora": "x"}}', /mirrors: "fedora" is not known: there are debian$/],
    ['{"solvers": {"z3": {"command": ["x"]}}}', /solvers\.z3/],
    ['{"solvers": {"a@b": {"command": ["x"]}}}', /solvers\.a@b/],
    ['{"mirrors": {"debian": "mirror"}}', /mirrors\.debian/],
    ['[]', /the file/],
  ])('says what is wrong with %s', async (text, message) => {
    expect(await read(text)).toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
  });
});
