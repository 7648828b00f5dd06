import { join } from 'node:path';
import type { NewEntry } from '../../src/solver/version/store.js';

/** The description of an entry with a native Z3 in `bin`. */
export function filledWith(folder: string, number = '4.8.12'): NewEntry {
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
