import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Offer, Source } from './source.js';

/** The `z3-solver` releases among culprit's dependencies, by their aliases. */
const packages: Readonly<Record<string, string>> = { '4.8.17': 'z3-4.8.17', '5.2.0': 'z3-5.2.0' };

const require = createRequire(import.meta.url);

export const embedded: Source = {
  name: 'embedded',
  async offers(engine) {
    if (engine !== 'z3') return [];
    const offers = await Promise.all(Object.entries(packages).map(([number, name]) => offer(number, name)));
    return offers.filter((found) => found !== undefined);
  },
};

async function offer(number: string, name: string): Promise<Offer | undefined> {
  const packageDir = await findPackage(name, number);
  if (packageDir === undefined) return undefined;
  return {
    spec: `embedded:z3@${number}`,
    source: 'embedded',
    engine: 'z3',
    number,
    kind: 'wasm',
    isLocal: true,
    take: async () => ({ kind: 'wasm', packageDir }),
  };
}

/** Undefined if the installation left the dependency out. */
async function findPackage(name: string, number: string): Promise<string | undefined> {
  try {
    const manifest = require.resolve(join(name, 'package.json'));
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version?: unknown };
    return version === number ? dirname(manifest) : undefined;
  } catch {
    return undefined;
  }
}
