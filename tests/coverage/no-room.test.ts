import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countersIn } from '../../src/coverage/native/counters-file.js';
import { parseLinkedCounters } from '../../src/coverage/native/linked-counters.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compilers, countingProgram, listedCounters, writeSource } from './compiled.js';

/** Replaces the system's function and fails. */
const failing = (error: string): string => `#include <errno.h>
#include <sys/types.h>
int posix_fallocate(int file, off_t start, off_t size) {
  return file < 0 || start > size ? EINVAL : ${error};
}
`;

it.each(
  compilers(),
)('a program without room for its counters reports it and ends normally, compiled by $c', async (compiler) => {
  const folder = temporaryFolder('no-room');
  writeSource(folder, 'full.c', failing('ENOSPC'));
  execFileSync(compiler.c, ['-c', 'full.c', '-o', 'full.o'], { cwd: folder });
  const source = writeSource(
    folder,
    'a.c',
    'int main(int argc, char **argv) { return argv[0] == 0 ? argc : 7; }\n',
  );
  const program = countingProgram(folder, source, compiler, [], ['full.o']);
  const { bytes } = withoutFault(parseLinkedCounters(listedCounters(program, folder)));
  const counters = join(folder, 'counters');
  expect(spawnSync(program, [], { env: { CULPRIT_COUNTERS: counters } }).status).toBe(7);
  expect(await countersIn(counters, bytes)).toMatchObject({
    kind: 'environment',
    message: expect.stringContaining('no room for its counters'),
  });
});

it.each(
  compilers(),
)('counters are written if the file system cannot reserve space, compiled by $c', async (compiler) => {
  const folder = temporaryFolder('no-room');
  writeSource(folder, 'other.c', failing('EOPNOTSUPP'));
  execFileSync(compiler.c, ['-c', 'other.c', '-o', 'other.o'], { cwd: folder });
  const source = writeSource(folder, 'a.c', 'int main(void) { return 0; }\n');
  const program = countingProgram(folder, source, compiler, [], ['other.o']);
  const { bytes } = withoutFault(parseLinkedCounters(listedCounters(program, folder)));
  const counters = join(folder, 'counters');
  spawnSync(program, [], { env: { CULPRIT_COUNTERS: counters } });
  expect(Math.max(...withoutFault(await countersIn(counters, bytes)))).toBe(1);
});
