import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readConfigurationFile } from '../../src/configuration/index.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('configuration');
});
afterEach(() => removeFolder(folder));

const schema = z.object({
  solvers: z.record(z.string(), z.strictObject({ command: z.array(z.string()).optional() })).default({}),
});
const folderFor = (from: string): string => withoutFault(readConfigurationFile(from)).folder;
const read = async (text: string) => {
  await writeFile(join(folder, 'culprit.json'), text);
  const file = readConfigurationFile(folder);
  return 'section' in file ? file.section(schema) : file;
};

describe('culprit.json', () => {
  it('may be missing or empty: every section then has its defaults', async () => {
    expect(withoutFault(readConfigurationFile(folder)).section(schema)).toEqual({ solvers: {} });
    expect(await read('{}')).toEqual({ solvers: {} });
  });

  it('is found in the nearest folder above', async () => {
    const below = join(folder, 'a', 'b');
    await mkdir(below, { recursive: true });
    await read('{}');
    expect(folderFor(below)).toBe(folder);
    await writeFile(join(folder, 'a', 'culprit.json'), '{}');
    expect(folderFor(below)).toBe(join(folder, 'a'));
  });

  it('of another user is ignored above the folder, but read in the folder itself', async () => {
    const below = join(folder, 'a');
    await mkdir(below);
    await read('{}');
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4711);
    expect(folderFor(below)).toBe(below);
    expect(folderFor(folder)).toBe(folder);
    getuid.mockRestore();
  });

  it('above the folder is ignored if it is a link and another user owns the link or its target', async () => {
    const below = join(folder, 'shared', 'mine');
    await mkdir(below, { recursive: true });
    await read('{}');
    await symlink(join(folder, 'culprit.json'), join(folder, 'shared', 'culprit.json'));
    expect(folderFor(below)).toBe(join(folder, 'shared'));
    const own = process.getuid?.() ?? 0;
    for (const owners of [
      [own + 1, own],
      [own, own + 1],
    ]) {
      const getuid = vi.spyOn(process, 'getuid');
      for (const owner of owners) getuid.mockReturnValueOnce(owner);
      // The next file above belongs to this user again.
      getuid.mockReturnValue(own);
      expect(folderFor(below)).toBe(folder);
      getuid.mockRestore();
    }
  });

  it('may have keys of other sections and a $schema for editors', async () => {
    const solvers = { mine: { command: ['x'] } };
    expect(await read(JSON.stringify({ $schema: './schema.json', solvers, triage: [] }))).toEqual({
      solvers,
    });
  });

  it.each([
    ['{', /is not JSON/],
    [
      '{"solvers": {"mine": {"comand": ["x"]}}}',
      /solvers\.mine: "comand" is not known: did you mean "command"\?$/,
    ],
    ['{"solvers": {"mine": {"command": "x"}}}', /solvers\.mine\.command: /],
    ['{"solver": {}}', /culprit\.json: "solver" is not known: did you mean "solvers"\?$/],
    [
      '{"frobnicate": 1}',
      /"frobnicate" is not known: there are \$schema, solvers, mirrors, builders, triage$/,
    ],
    ['[]', /the file/],
  ])('with the mistake %s is rejected with its place', async (text, message) => {
    expect(await read(text)).toMatchObject({ kind: 'usage', message: expect.stringMatching(message) });
  });
});
