import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IrCache } from '../../../src/program/compile/ir-cache.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';

/** Directory entries as in Node 24, and one of a file that another process just removed. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readdir = async (path: string, options: { readonly withFileTypes: true }) => {
    const entries = await real.readdir(path, options);
    const newer = entries.map((entry) => ({
      name: entry.name,
      parentPath: entry.parentPath ?? entry.path,
      isFile: () => entry.isFile(),
      isSymbolicLink: () => false,
    }));
    const gone = { name: 'gone.ll.gz', parentPath: path, isFile: () => true, isSymbolicLink: () => false };
    return [gone, ...newer];
  };
  return { ...real, readdir };
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('ir');
});
afterEach(() => removeFolder(folder));

const keyOf = (cache: IrCache, name: string): string => cache.keyOf(Buffer.from(name), 'reader');

it('IrCache returns an entry only for the same bitcode and the same reader', async () => {
  const cache = new IrCache(folder);
  await cache.put(keyOf(cache, 'a'), 'the text of a');
  expect(await cache.get(keyOf(cache, 'a'))).toBe('the text of a');
  expect(await cache.get(keyOf(cache, 'b'))).toBeUndefined();
  expect(await cache.get(cache.keyOf(Buffer.from('a'), 'another reader'))).toBeUndefined();
});

it('IrCache prunes the least recently used entries, and nothing if the folder is missing', async () => {
  const cache = new IrCache(folder);
  const names = ['first', 'second', 'third'];
  for (const [at, name] of names.entries()) {
    const key = keyOf(cache, name);
    await cache.put(key, name);
    utimesSync(join(folder, key.slice(0, 2), `${key.slice(2)}.ll.gz`), at + 1, at + 1);
  }
  await cache.get(keyOf(cache, 'first'));
  await cache.prune(60);
  const left = await Promise.all(names.map((name) => cache.get(keyOf(cache, name))));
  expect(left).toEqual(['first', undefined, 'third']);
  await cache.prune(0);
  expect(await cache.get(keyOf(cache, 'third'))).toBeUndefined();
  await new IrCache(join(folder, 'nowhere')).prune(0);
});

it('IrCache prunes only after an interval', async () => {
  const cache = new IrCache(folder);
  const key = keyOf(cache, 'first');
  await cache.pruneIfDue(0);
  await cache.put(key, 'first');
  await cache.pruneIfDue(0);
  expect(await cache.get(key)).toBe('first');
  // An hour ago, and an hour ahead, as after a clock was set back.
  for (const distance of [-3600, 3600]) {
    await cache.put(key, 'first');
    const at = Date.now() / 1000 + distance;
    utimesSync(join(folder, 'pruned'), at, at);
    await cache.pruneIfDue(0);
    expect(await cache.get(key)).toBeUndefined();
  }
});
