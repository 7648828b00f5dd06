import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Fault, makeFolder, writeAtomically } from '../../machine/index.js';
import type { SolverSurroundings } from './source.js';

export interface Listing {
  readonly name: string;
  readonly around: SolverSurroundings;
  readonly fetch: () => Promise<readonly string[] | Fault>;
}

const schema = z.object({ fetched: z.number(), items: z.array(z.string()) });
const dayMs = 24 * 3_600_000;

/**
 * Returns the cached list if it is fresh, else a new one, else the old cached one, else the fault. Repeated
 * comparisons thus query the network once a day, and work offline.
 */
export async function cachedList({ name, around, fetch }: Listing): Promise<readonly string[] | Fault> {
  const file = join(around.store.dir, 'listings', `${name}.json`);
  const cached = await readFile(file, 'utf8')
    .then((text) => schema.parse(JSON.parse(text)))
    .catch(() => undefined);
  const ageMs = Date.now() - (cached?.fetched ?? 0);
  if (cached !== undefined && !around.fresh && ageMs >= 0 && ageMs < dayMs) return cached.items;
  const items = await fetch();
  if (items instanceof Fault) return cached?.items ?? items;
  await writeCache(file, items);
  return items;
}

async function writeCache(file: string, items: readonly string[]): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeAtomically(file, JSON.stringify({ fetched: Date.now(), items }), { isDisposable: true });
  } catch {}
}
