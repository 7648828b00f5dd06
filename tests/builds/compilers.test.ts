import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compilerOf } from '../../src/builds/compilers.js';
import { thisMachine } from '../../src/machine/index.js';
import { temporaryFolder } from '../temporary-folder.js';

function machineWith(...programs: readonly string[]) {
  const folder = temporaryFolder('compilers');
  for (const name of programs) writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
  return { ...thisMachine(), env: { PATH: folder } };
}

it('compilerOf prefers the plain name, else the newest version suffix', () => {
  expect(compilerOf('clang', machineWith('clang++', 'clang++-19'))).toEqual({ CC: 'clang', CXX: 'clang++' });
  expect(compilerOf('clang', machineWith('clang++-9', 'clang++-14', 'g++'))).toEqual({
    CC: 'clang-14',
    CXX: 'clang++-14',
  });
  expect(compilerOf('gcc', machineWith('g++-12'))).toEqual({ CC: 'gcc-12', CXX: 'g++-12' });
  expect(compilerOf('clang', machineWith('g++'))).toMatchObject({
    message: expect.stringContaining('clang++ cannot be run'),
  });
});
