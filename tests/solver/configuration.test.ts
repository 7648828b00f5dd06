import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSolverConfiguration } from '../../src/solver/version/configuration.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('configuration');
});
afterEach(() => removeFolder(folder));

const empty = { solvers: {}, mirrors: {} };
const read = async (text: string) => {
  await writeFile(join(folder, 'culprit.json'), text);
  return readSolverConfiguration(folder);
};

describe('the solver sections of culprit.json', () => {
  it('are empty if the file is missing or has no such keys', async () => {
    expect(readSolverConfiguration(folder)).toEqual(empty);
    expect(await read('{}')).toEqual(empty);
  });

  it('have paths relative to the file, which may be in a folder above', async () => {
    const below = join(folder, 'a', 'b');
    await mkdir(below, { recursive: true });
    const solvers = { near: { command: ['./bin/x', '{file}'] }, far: { command: ['x', './y'] } };
    await read(JSON.stringify({ solvers }));
    expect(readSolverConfiguration(below)).toMatchObject({
      solvers: { near: { command: [join(folder, 'bin', 'x'), '{file}'] }, far: { command: ['x', './y'] } },
    });
    expect(readSolverConfiguration(folder)).toMatchObject({ solvers });
    await writeFile(join(folder, 'a', 'culprit.json'), '{}');
    expect(readSolverConfiguration(below)).toEqual(empty);
  });

  it('name no command of another user’s file above the folder', async () => {
    const below = join(folder, 'a');
    await mkdir(below);
    await read('{"solvers": {"mine": {"command": ["x"]}}}');
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4711);
    expect(readSolverConfiguration(below)).toEqual(empty);
    expect(readSolverConfiguration(folder)).toMatchObject({ solvers: { mine: {} } });
    getuid.mockRestore();
  });

  it('define solvers and mirrors', async () => {
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
    [
      '{"solvers": {"mine": {"command": []}}}',
      /solvers\.mine\.command: the command needs at least the program/,
    ],
    ['{"solvers": {"mine": {"command": ["x"], "dialect": "3"}}}', /solvers\.mine\.dialect/],
    [
      '{"solvers": {"mine": {"command": ["x"], "dialekt": "2.6"}}}',
      /solvers\.mine: "dialekt" is not known: did you mean "dialect"\?$/,
    ],
    ['{"mirrors": {"fedora": "x"}}', /mirrors: "fedora" is not known: there are debian$/],
    ['{"solvers": {"z3": {"command": ["x"]}}}', /solvers\.z3/],
    ['{"solvers": {"a@b": {"command": ["x"]}}}', /solvers\.a@b/],
    ['{"mirrors": {"debian": "mirror"}}', /mirrors\.debian/],
  ])('with the mistake %s are rejected with its place', async (text, message) => {
    expect(await read(text)).toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
  });
});
