import { Fault, findOnPath } from '../../machine/index.js';
import { queryBanner } from './banner.js';
import type { Source } from './source.js';

export const installed: Source = {
  name: 'installed',
  async offers(engine, { machine }) {
    const file = findOnPath(engine, machine);
    if (file === undefined) return [];
    const banner = await queryBanner([file], machine);
    // A broken program on PATH is ignored.
    if (banner instanceof Fault || banner.engine !== engine || banner.number === undefined) return [];
    return [
      {
        spec: `path:${file}`,
        source: 'path',
        engine,
        number: banner.number,
        kind: 'native',
        isLocal: true,
        take: async () => ({ kind: 'native', command: [file] }),
      },
    ];
  },
};
