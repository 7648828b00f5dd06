import { platformOf } from '../../machine/index.js';
import type { Entry } from '../version/store.js';
import type { Offer, Source } from './source.js';

/** Earlier downloads that run on this kind of machine. */
export const stored: Source = {
  name: 'stored',
  async offers(engine, { store, machine }) {
    const entries = await store.entries();
    const usable = new Set(['any', platformOf(machine)]);
    return entries
      .filter(({ manifest }) => manifest.engine === engine && usable.has(manifest.platform))
      .map(storedOffer);
  },
};

function storedOffer({ manifest, program }: Entry): Offer {
  const { spec, source, engine, number } = manifest;
  return { spec, source, engine, number, kind: program.kind, isLocal: true, take: async () => program };
}
