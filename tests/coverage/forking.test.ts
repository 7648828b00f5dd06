import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { countersIn, removeCounters } from '../../src/coverage/native/counters-file.js';
import { parseLinkedCounters } from '../../src/coverage/native/linked-counters.js';
import { makeTable } from '../../src/coverage/native/make-table.js';
import { CoverageTable } from '../../src/coverage/table.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compilers, countingProgram, listedCounters, writeSource } from './compiled.js';

/** Iterations of each of the simultaneous processes. */
const times = 20_000_000;

/**
 * Its name chooses the behaviour: children that count simultaneously, that are killed, or that run one after another.
 */
const forking = `#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int gate[2];
static volatile int sum;
static void step(int by) {
  sum += by; // counted
}
static void work(int many) {
  for (int i = 0; i < many; i++) step(i);
}
static void count(void) {
  work(${times});
}
static pid_t child(int is_killed, int children) {
  pid_t one = fork();
  if (one != 0) return one;
  char end;
  close(gate[1]);
  if (read(gate[0], &end, 1) != 0) _exit(1);
  pid_t inner = children > 0 ? child(0, children - 1) : 0;
  count();
  if (inner > 0) waitpid(inner, 0, 0);
  if (is_killed) kill(getpid(), SIGKILL);
  _exit(0);
}
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  int is_killed = strcmp(how, "killed") == 0, children = strcmp(how, "nested") == 0;
  if (strcmp(how, "alone") == 0) count();
  if (strcmp(how, "in-turns") == 0)
    for (int i = 0; i < 50; i++) {
      pid_t one = fork();
      if (one == 0) {
        work(10);
        _exit(0);
      }
      waitpid(one, 0, 0);
    }
  if (strcmp(how, "at-once") == 0 || is_killed || children) {
    if (pipe(gate) != 0) return 1;
    for (int i = 0; i < 3; i++) child(is_killed, children);
    close(gate[0]);
    close(gate[1]);
    count();
    while (wait(0) > 0) continue;
  }
  return 0;
}
`;

const counted = forking.split('\n').findIndex((line) => line.endsWith('// counted')) + 1;

for (const compiler of compilers())
  describe.each([
    ['with libraries', []],
    ['statically', ['-static']],
  ])(`processes of one run, compiled by ${compiler.c} and linked %s`, (_, linked) => {
    let folder: string;
    let program: string;
    let table: CoverageTable;

    beforeAll(async () => {
      folder = temporaryFolder('forking');
      const source = writeSource(folder, 'forking.c', forking);
      // A loop counts in a register until it ends, and would overwrite the counts of other processes.
      program = countingProgram(folder, source, compiler, ['-O2', '-fno-builtin-fork'], linked);
      const parts = await makeTable(
        withoutFault(parseLinkedCounters(listedCounters(program, folder))),
        [{ path: folder, named: '' }],
        new AbortController().signal,
      );
      table = new CoverageTable(withoutFault(parts));
    });

    /** Executions of the line, and the number of files. */
    const countedBy = async (name: string, ...command: readonly string[]) => {
      const own = temporaryFolder('forked');
      const file = join(own, 'counters');
      const [word = '', ...args] = command;
      const env = { ...process.env, CULPRIT_COUNTERS: file };
      expect(spawnSync(word, args, { env, cwd: folder }).status).toBe(0);
      const { lines, counts } = table.countsOf(
        withoutFault(await countersIn(file, table.parts.counterBytes)),
      );
      const at = [...lines].findIndex((line) => table.parts.lineNumbers[line] === counted);
      const files = readdirSync(own).filter((one) => !one.endsWith('.stack'));
      await removeCounters(file);
      expect(readdirSync(own).filter((one) => files.includes(one))).toEqual([]);
      return { [name]: counts[at], files: files.length };
    };

    it('processes that count simultaneously have files of their own, and no count is lost', async () => {
      expect(await countedBy('at once', program, 'at-once')).toEqual({ 'at once': 4 * times, files: 4 });
    });

    it('processes count if they are killed, and if they have children', async () => {
      expect(await countedBy('killed', program, 'killed')).toMatchObject({ killed: 4 * times });
      expect(await countedBy('nested', program, 'nested')).toMatchObject({ nested: 7 * times });
    });

    it('processes that count one after another share a file', async () => {
      expect(await countedBy('in turns', program, 'in-turns')).toEqual({ 'in turns': 500, files: 2 });
      const twice = ['sh', '-c', '"$0" in-turns && "$0" in-turns', program];
      expect(await countedBy('twice', ...twice)).toEqual({ twice: 1000, files: 2 });
    });

    it('processes share counters even if they are unrelated', async () => {
      const both = ['sh', '-c', '"$0" alone & "$0" alone & "$0" alone; wait', program];
      expect(await countedBy('beside each other', ...both)).toMatchObject({ 'beside each other': 3 * times });
    });
  });

it('countersIn adds the files next to those of a run, unless they belong to another program', async () => {
  const file = join(temporaryFolder('beside'), 'counters');
  const counters = (...counts: readonly bigint[]) => Buffer.from(BigInt64Array.from(counts).buffer);
  writeFileSync(file, counters(1n, 2n ** 40n));
  writeFileSync(`${file}.1`, counters(7n));
  writeFileSync(`${file}.2`, '');
  writeFileSync(`${file}.3`, counters(3n, 2n ** 33n));
  expect([...withoutFault(await countersIn(file, 16))]).toEqual([4, 2 ** 40 + 2 ** 33]);
});
