import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Fault, makeFolder, writeAtomically } from '../../machine/index.js';
import type { SolverSurroundings } from './source.js';

/** The releases of a registry, cached for a day. */
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
export async function rememberedList({ name, around, fetch }: Listing): Promise<readonly string[] | Fault> {
  const file = join(around.store.dir, 'listings', `${name}.json`);
  const known = await readFile(file, 'utf8')
    .then((text) => schema.parse(JSON.parse(text)))
    .catch(() => undefined);
  const ageMs = Date.now() - (known?.fetched ?? 0);
  if (known !== undefined && !around.fresh && ageMs >= 0 && ageMs < dayMs) return known.items;
  const items = await fetch();
  if (items instanceof Fault) return known?.items ?? items;
  await remember(file, items);
  return items;
}

async function remember(file: string, items: readonly string[]): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeAtomically(file, JSON.stringify({ fetched: Date.now(), items }), { isDisposable: true });
  } catch {
    // The cache only saves time.
  }
}
