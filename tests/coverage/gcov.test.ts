import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCounters } from '../../src/coverage/gcov/counters.js';
import { loopCount } from '../../src/coverage/gcov/loops.js';
import { readNotes } from '../../src/coverage/gcov/notes.js';
import { countersIn } from '../../src/coverage/native/counters-file.js';
import { parseLinkedCounters } from '../../src/coverage/native/linked-counters.js';
import { makeTable } from '../../src/coverage/native/make-table.js';
import { CoverageTable } from '../../src/coverage/table.js';
import { readTable, writeTable } from '../../src/coverage/table-file.js';
import { Fault } from '../../src/machine/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compilers, countingProgram, writeSource } from './compiled.js';
import { programs } from './programs.js';

const everywhere = [{ path: '/', named: '/' }];
const signal = new AbortController().signal;

async function tableOf(program: string, folder: string): Promise<CoverageTable> {
  const listed = join(folder, 'counters.txt');
  spawnSync(program, [], { env: { CULPRIT_COUNTERS_TABLE: listed }, cwd: folder });
  const linked = withoutFault(parseLinkedCounters(readFileSync(listed, 'utf8')));
  return new CoverageTable(withoutFault(await makeTable(linked, everywhere, signal)));
}

/** By file and line. */
async function executedBy(
  program: string,
  folder: string,
  table: CoverageTable,
  args: readonly string[] = [],
): Promise<Readonly<Record<string, number>>> {
  const file = join(folder, 'counters.bin');
  rmSync(file, { force: true });
  spawnSync(program, [...args], { env: { CULPRIT_COUNTERS: file }, cwd: folder });
  const { lines, counts } = table.countsOf(withoutFault(await countersIn(file, table.parts.counterBytes)));
  const { files, lineFiles, lineNumbers } = table.parts;
  return Object.fromEntries(
    [...lines].map((line, at) => [`${files[lineFiles[line] ?? -1]}:${lineNumbers[line]}`, counts[at] ?? 0]),
  );
}

/** What gcov prints of lines that were executed, of the counters that libgcov has written. */
function gcovOf(folder: string, source: string, compiler: string, options: readonly string[]) {
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, [...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 27,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  run(compiler, '--coverage', ...options, '-c', source, '-o', 'plain.o');
  run(compiler, '--coverage', 'plain.o', '-o', 'plain');
  spawnSync(join(folder, 'plain'), [], { cwd: folder });
  const found: Record<string, number> = {};
  const seen = new Set<string>();
  let file = '';
  for (const line of run('gcov', '-t', 'plain.gcda').split('\n')) {
    const [, count = '', number = '', text = ''] = /^ *([^:]+): *(\d+):(.*)$/.exec(line) ?? [];
    if (number === '0' && text.startsWith('Source:')) file = text.slice('Source:'.length);
    // Instances of a template are listed again after the lines they share.
    const key = `${file.startsWith('/') ? file : join(folder, file)}:${number}`;
    if (number === '' || number === '0' || seen.has(key)) continue;
    seen.add(key);
    if (/^\d+\*?$/.test(count)) found[key] = Number.parseInt(count, 10);
  }
  return found;
}

const [gcc] = compilers().filter(({ c }) => c === 'gcc');

describe.runIf(gcc !== undefined)('counts of lines', () => {
  for (const [name, text] of Object.entries(programs))
    for (const level of ['-O0', '-O2'])
      it(`are those of gcov for ${name} at ${level}`, async () => {
        const compiler = gcc ?? { c: 'gcc', cxx: 'g++' };
        const folder = temporaryFolder('gcov');
        writeSource(folder, name, text);
        const program = countingProgram(folder, name, compiler, [level]);
        const table = await tableOf(program, folder);
        const expected = gcovOf(folder, name, name.endsWith('.c') ? compiler.c : compiler.cxx, [level]);
        expect(Object.keys(expected).length).toBeGreaterThan(4);
        expect(await executedBy(program, folder, table)).toEqual(expected);
        const again = new CoverageTable(withoutFault(readTable(writeTable(table.parts))));
        expect(await executedBy(program, folder, again)).toEqual(expected);
      });
});

/** Lines end with how often they are executed: when it is left alone, and when it is killed in the seventh call. */
const mortal = `#include <signal.h>
#include <string.h>
#include <unistd.h>
static int is_mortal;
static void perhaps_die(int i) {
  if (i == 6 && is_mortal)
    kill(getpid(), SIGKILL); // 0 1
  is_mortal += 0; // 10 6
}
static int body(int i) {
  int twice = i * 2; // 10 7
  perhaps_die(i); // 10 7
  twice++; // 10 6
  return twice; // 10 6
}
int main(int argc, char **argv) {
  int sum = 0; // 1 1
  is_mortal = argc > 1 && strcmp(argv[1], "die") == 0; // 1 1
  for (int i = 0; i < 10; i++) {
    sum += body(i); // 10 7
    sum++; // 10 6
  }
  return sum == 0; // 1 0
}
`;

for (const compiler of compilers())
  describe(`a program compiled by ${compiler.c}`, () => {
    it('leaves exact counts, also when it is killed, where its compiler minds calls that do not return', async () => {
      const folder = temporaryFolder('killed');
      const program = countingProgram(folder, writeSource(folder, 'mortal.c', mortal), compiler, ['-O0']);
      const table = await tableOf(program, folder);
      const expected = (which: 1 | 2) =>
        Object.fromEntries(
          mortal.split('\n').flatMap((line, at) => {
            const counts = /\/\/ (\d+) (\d+)$/.exec(line);
            return counts === null ? [] : [[`${join(folder, 'mortal.c')}:${at + 1}`, Number(counts[which])]];
          }),
        );
      const marked = async (...args: readonly string[]) => {
        const executed = await executedBy(program, folder, table, args);
        return Object.fromEntries(Object.keys(expected(1)).map((key) => [key, executed[key] ?? 0]));
      };
      expect(await marked()).toEqual(expected(1));
      // clang takes for granted that calls return: it is one off where something was under way.
      if (compiler === gcc) expect(await marked('die')).toEqual(expected(2));
      else expect(await marked('die')).toMatchObject({ [`${join(folder, 'mortal.c')}:11`]: 7 });
    });
  });

describe('notes', () => {
  it('that are damaged or cut off are told to be so, and never misread', async () => {
    const folder = temporaryFolder('notes');
    const [compiler = { c: 'cc', cxx: 'c++' }] = compilers();
    countingProgram(folder, writeSource(folder, 'a.c', programs['goto-and-switch.c'] ?? ''), compiler);
    const bytes = readFileSync(join(folder, 'counted.gcno'));
    const whole = withoutFault(readNotes(bytes));
    expect(whole.functions.map(({ name }) => name).toSorted()).toEqual(['main', 'step']);
    expect(readNotes(Buffer.from('not notes at all'))).toBeInstanceOf(Fault);
    expect(readNotes(bytes.subarray(0, bytes.length - 5))).toBeInstanceOf(Fault);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        const read = readNotes(changed);
        if (read instanceof Fault) return;
        for (const { arcs, blocks } of read.functions)
          for (const { from, to } of arcs) expect(Math.max(from, to)).toBeLessThan(blocks);
      }),
    );
  });
});

it('takes counters that are not there, or of another build, for no counters', async () => {
  const file = join(temporaryFolder('counters'), 'counters.bin');
  expect(await countersIn(file, 16)).toMatchObject({ message: expect.stringContaining('left no counters') });
  writeFileSync(file, Buffer.alloc(8));
  expect(await countersIn(file, 16)).toMatchObject({ message: expect.stringContaining('another build') });
});

describe.runIf(gcc !== undefined)('counters that libgcov wrote', () => {
  it('are read with the functions they belong to, zeros that were left out among them', () => {
    const folder = temporaryFolder('gcda');
    const name = writeSource(folder, 'a.c', programs['goto-and-switch.c'] ?? '');
    gcovOf(folder, name, 'gcc', ['-O0']);
    const notes = withoutFault(readNotes(readFileSync(join(folder, 'plain.gcno'))));
    const bytes = readFileSync(join(folder, 'plain.gcda'));
    const counters = withoutFault(readCounters(bytes));
    expect(counters.stamp).toBe(notes.stamp);
    for (const { ident, counts } of counters.functions) {
      const noted = notes.functions.find((one) => one.ident === ident);
      expect(counts).toHaveLength(noted?.arcs.filter(({ isOnTree }) => !isOnTree).length ?? -1);
      expect(Math.max(...counts)).toBeGreaterThan(0);
    }
    expect(readCounters(bytes.subarray(0, 50))).toBeInstanceOf(Fault);
    expect(readCounters(Buffer.from('gcno'))).toBeInstanceOf(Fault);
  });
});

describe('loops on a line', () => {
  it('count as often as they were taken', () => {
    // 2 -> 3 -> 2 taken seven times, 3 -> 3 four times.
    const leaving = [
      [],
      [],
      [{ arc: 0, to: 3 }],
      [
        { arc: 1, to: 2 },
        { arc: 2, to: 3 },
        { arc: 3, to: 4 },
      ],
    ];
    expect(loopCount({ blocks: [2, 3], leaving }, [8, 7, 4, 1])).toBe(11);
    expect(loopCount({ blocks: [2], leaving }, [8, 7, 4, 1])).toBe(0);
  });
});
