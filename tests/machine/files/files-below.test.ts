import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { filesBelow } from '../../../src/machine/index.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';

/** The property with an entry's folder: `path` in Node 20.11, `parentPath` in Node 24. */
const naming = vi.hoisted(() => ({ parent: 'path' }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readdir = async (path: string, options: { readonly withFileTypes: true }) => {
    const entries = await real.readdir(path, options);
    return entries.map((entry) => ({
      name: entry.name,
      [naming.parent]: entry.parentPath ?? entry.path,
      isFile: () => entry.isFile(),
      isSymbolicLink: () => entry.isSymbolicLink(),
    }));
  };
  return { ...real, readdir };
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('below');
});
afterEach(() => removeFolder(folder));

it.each([
  'path',
  'parentPath',
])('filesBelow finds files at any depth and does not follow links (%s)', async (parent) => {
  naming.parent = parent;
  mkdirSync(join(folder, 'in', 'side'), { recursive: true });
  for (const path of ['a', 'in/b', 'in/side/c']) writeFileSync(join(folder, path), '');
  symlinkSync('..', join(folder, 'in', 'round'));
  const found = await filesBelow(folder);
  expect(
    found.map(({ path, name, isLink }) => [path.slice(folder.length + 1), name, isLink]).toSorted(),
  ).toEqual([
    ['a', 'a', false],
    ['in/b', 'b', false],
    ['in/round', 'round', true],
    ['in/side/c', 'c', false],
  ]);
  await expect(filesBelow(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
});
