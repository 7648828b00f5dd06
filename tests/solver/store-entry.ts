import { join } from 'node:path';
import type { Filled } from '../../src/solver/version/store.js';

/** What a source would say about a folder with a native Z3 in `bin`. */
export function filledWith(folder: string, number = '4.8.12'): Filled {
  return {
    spec: `pypi:z3@${number}`,
    engine: 'z3',
    number,
    source: 'pypi',
    platform: 'linux-x64',
    program: { kind: 'native', command: [join(folder, 'bin', 'z3')] },
    from: [{ file: 'z3.whl', checksum: 'sha256:00' }],
    trust: 'a test',
  };
}
