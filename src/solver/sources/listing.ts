import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Fault, makeFolder, writeWhole } from '../../machine/index.js';
import type { SolverSurroundings } from './source.js';

/** A list fetched from somewhere and remembered for a while: the releases a registry has. */
export interface Listing {
  readonly name: string;
  readonly around: SolverSurroundings;
  readonly fetch: () => Promise<readonly string[] | Fault>;
}

const schema = z.object({ fetched: z.number(), items: z.array(z.string()) });
const dayMs = 24 * 3_600_000;

/**
 * Fresh from memory, else fetched, else what was remembered however old; only then the fault. So a comparison that
 * is repeated all day asks the network once, and goes on working without it.
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
    await writeWhole(file, JSON.stringify({ fetched: Date.now(), items }), { isDisposable: true });
  } catch {
    // Remembering only saves time.
  }
}
