import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder, environmentFault, Fault, thisMachine } from '../../src/machine/index.js';
import { type Entry, openStore } from '../../src/solver/version/store.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { filledWith } from './store-entry.js';

const id = 'pypi+z3@4.8.12+linux-x64';
let cache: string;

beforeEach(() => {
  cache = temporaryFolder('store');
});
afterEach(() => removeFolder(cache));

async function fill(folder: string) {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'z3'), 'a program');
  return filledWith(folder);
}

/** All files in the store's folder, including temporary folders. */
async function names(): Promise<readonly string[]> {
  return (await readdir(join(cache, 'solvers')).catch(() => [])).sort();
}

function message(result: unknown): string {
  expect(result).toBeInstanceOf(Fault);
  return (result as Fault).message;
}

describe('a store', () => {
  it('stores an added entry with a manifest', async () => {
    const entry = (await openStore(cache).add(id, fill)) as Entry;
    expect(entry.program).toEqual({ kind: 'native', command: [join(cache, 'solvers', id, 'bin', 'z3')] });
    expect(await openStore(cache).get(id)).toEqual(entry);
    expect(await openStore(cache).entries()).toEqual([entry]);
    const manifest = JSON.parse(await readFile(join(entry.dir, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ spec: 'pypi:z3@4.8.12', bytes: 9, from: [{ file: 'z3.whl' }] });
    expect(manifest.program.command).toEqual(['{entry}/bin/z3']);
    expect(await names()).toEqual([id]);
  });

  it('fills an entry once', async () => {
    const store = openStore(cache);
    let fills = 0;
    const counted = (folder: string) => {
      fills++;
      return fill(folder);
    };
    await Promise.all([store.add(id, counted), store.add(id, counted)]);
    await store.add(id, counted);
    expect(fills).toBe(1);
  });

  it('can be moved', async () => {
    await openStore(cache).add(id, fill);
    const moved = `${cache}-moved`;
    await rename(cache, moved);
    const entry = await openStore(moved).get(id);
    await rename(moved, cache);
    expect(entry?.program).toEqual({ kind: 'native', command: [join(moved, 'solvers', id, 'bin', 'z3')] });
  });

  it('stores nothing of a failed add', async () => {
    const store = openStore(cache);
    const failed = await store.add(id, async (folder) => {
      await fill(folder);
      return environmentFault('the network went away');
    });
    expect(message(failed)).toBe('the network went away');
    await expect(
      store.add(id, async () => {
        throw new TypeError('a mistake in culprit');
      }),
    ).rejects.toThrow('a mistake in culprit');
    expect(await names()).toEqual([]);
    expect(await store.add(id, fill)).toHaveProperty('id', id);
  });

  it('replaces a folder without a manifest', async () => {
    await mkdir(join(cache, 'solvers', id, 'bin'), { recursive: true });
    await writeFile(join(cache, 'solvers', id, 'bin', 'z3'), 'half a prog');
    const store = openStore(cache);
    expect(await store.get(id)).toBeUndefined();
    expect(await store.entries()).toEqual([]);
    const entry = (await store.add(id, fill)) as Entry;
    expect(await readFile(join(entry.dir, 'bin', 'z3'), 'utf8')).toBe('a program');
    expect(await names()).toEqual([id]);
  });

  it('replaces an entry with a truncated manifest', async () => {
    const store = openStore(cache);
    const entry = (await store.add(id, fill)) as Entry;
    const manifest = await readFile(join(entry.dir, 'manifest.json'), 'utf8');
    await writeFile(join(entry.dir, 'manifest.json'), manifest.slice(0, 100));
    expect(await store.get(id)).toBeUndefined();
  });

  it('removes entries, and reports missing ones', async () => {
    const store = openStore(cache);
    await store.add(id, fill);
    expect(await store.remove(id)).toBe(true);
    expect(await store.remove(id)).toBe(false);
    expect(await store.remove('../../elsewhere')).toBe(false);
    expect(await names()).toEqual([]);
  });

  it('detects changed and missing files', async () => {
    const store = openStore(cache);
    const entry = (await store.add(id, fill)) as Entry;
    expect(await store.damage(entry)).toBeUndefined();
    await writeFile(join(entry.dir, 'bin', 'z3'), 'another program');
    expect(await store.damage(entry)).toBe('bin/z3 was changed after it was added');
    await rm(join(entry.dir, 'bin', 'z3'));
    expect(await store.damage(entry)).toBe('bin/z3 is missing');
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk in one sentence', async () => {
    const full = await openStore(cache).add(id, async (folder) => {
      await writeFile('/dev/full', 'one byte too many');
      return filledWith(folder);
    });
    expect(message(full)).toBe(
      `the cache ${cache} has no space left: free some, or set CULPRIT_CACHE to another folder`,
    );
    expect(await names()).toEqual([]);
  });

  it('reports a cache that cannot be a folder in one sentence', async () => {
    const file = join(cache, 'file');
    await writeFile(file, '');
    expect(message(await openStore(file).add(id, fill))).toMatch(
      /is not a folder: move the file away, or set CULPRIT_CACHE/,
    );
  });
});

describe('processes that share a store', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  function startAdding(...args: string[]): ChildProcess {
    const script = fileURLToPath(new URL('./adding-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, cache, id, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  async function firstLine(child: ChildProcess): Promise<string> {
    const [chunk] = await once(child.stdout ?? child, 'data');
    return String(chunk).split('\n')[0] ?? '';
  }

  it('end with one good entry if they add the same one at once', async () => {
    const adding = [startAdding('3'), startAdding('3'), startAdding('3')];
    const codes = await Promise.all(adding.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    expect(await names()).toEqual([id]);
    const store = openStore(cache);
    const entry = (await store.get(id)) as Entry;
    expect(await store.damage(entry)).toBeUndefined();
  });

  it('never see a partial entry, and remove it once its process is gone', async () => {
    const child = startAdding('1000');
    const temporary = await firstLine(child);
    const store = openStore(cache);
    expect(await store.get(id)).toBeUndefined();
    expect(await store.entries()).toEqual([]);
    await store.add('another', fill);
    expect(existsSync(temporary)).toBe(true);

    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await store.get(id)).toBeUndefined();
    await store.add(id, fill);
    expect(existsSync(temporary)).toBe(false);
    expect(await names()).toEqual(['another', id]);
  });

  it('remove partial entries of other hosts only after a week', async () => {
    const folder = join(cache, 'solvers', '.part-00000000-culprit-1-0-0-1');
    await mkdir(folder, { recursive: true });
    const store = openStore(cache);
    await store.add('first', fill);
    expect(existsSync(folder)).toBe(true);
    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
    await utimes(folder, longAgo, longAgo);
    await store.add('second', fill);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('cacheFolder', () => {
  const at = (env: Record<string, string>) =>
    cacheFolder({ ...thisMachine(), env, home: '/home/me', cwd: '/project' });

  it('is the user’s choice, else the desktop’s cache folder, else one in the home folder', () => {
    expect(at({ CULPRIT_CACHE: '/cache', XDG_CACHE_HOME: '/xdg' })).toBe('/cache');
    expect(at({ CULPRIT_CACHE: 'cache' })).toBe('/project/cache');
    expect(at({ XDG_CACHE_HOME: '/xdg' })).toBe('/xdg/culprit');
    expect(at({ XDG_CACHE_HOME: 'relative' })).toBe('/home/me/.cache/culprit');
    expect(at({})).toBe('/home/me/.cache/culprit');
  });
});
