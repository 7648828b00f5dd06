import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCounters } from '../../src/coverage/gcov/counters.js';
import { loopCount } from '../../src/coverage/gcov/loops.js';
import { readNotes } from '../../src/coverage/gcov/notes.js';
import { countersIn } from '../../src/coverage/native/counters-file.js';
import { parseLinkedCounters } from '../../src/coverage/native/linked-counters.js';
import { makeTable } from '../../src/coverage/native/make-table.js';
import { ProgramFunctions } from '../../src/coverage/native/program-functions.js';
import { placesIn, stackPath } from '../../src/coverage/native/stack-file.js';
import { CoverageTable } from '../../src/coverage/table.js';
import { readTable, writeTable } from '../../src/coverage/table-file.js';
import { countedBuild } from '../../src/coverage/user/counted-build.js';
import { readGcovFolder } from '../../src/coverage/user/gcov-folder.js';
import { Fault } from '../../src/machine/index.js';
import { someOf } from '../rounds.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compilers, countingProgram, listedCounters, writeSource } from './compiled.js';
import { programs } from './programs.js';

const everywhere = [{ path: '/', named: '/' }];
const signal = new AbortController().signal;

async function tableOf(program: string, folder: string): Promise<CoverageTable> {
  const linked = withoutFault(parseLinkedCounters(listedCounters(program, folder)));
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

/** gcov's counts of executed lines, from libgcov's counters. */
function gcovOf(folder: string, source: string, compiler: string, options: readonly string[]) {
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, [...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 27,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  mkdirSync(join(folder, ownBuild), { recursive: true });
  run(compiler, '--coverage', ...options, '-c', source, '-o', `${ownBuild}/plain.o`);
  run(compiler, '--coverage', `${ownBuild}/plain.o`, '-o', `${ownBuild}/plain`);
  spawnSync(join(folder, ownBuild, 'plain'), [], { cwd: folder });
  const found: Record<string, number> = {};
  const seen = new Set<string>();
  let file = '';
  for (const line of run('gcov', '-t', `${ownBuild}/plain.gcda`).split('\n')) {
    const [, count = '', number = '', text = ''] = /^ *([^:]+): *(\d+):(.*)$/.exec(line) ?? [];
    if (number === '0' && text.startsWith('Source:')) file = text.slice('Source:'.length);
    // gcov lists instances of a template again after the lines they share.
    const key = `${file.startsWith('/') ? file : join(folder, file)}:${number}`;
    if (number === '' || number === '0' || seen.has(key)) continue;
    seen.add(key);
    if (/^\d+\*?$/.test(count)) found[key] = Number.parseInt(count, 10);
  }
  return found;
}

/** Like a user's own build, not where culprit's counters are. */
const ownBuild = 'own/objects';

/** gcov's JSON: functions, and all lines by file and number. */
function gcovJson(folder: string) {
  const printed = execFileSync('gcov', ['--json-format', '-t', `${ownBuild}/plain.gcda`], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 27,
  });
  const lines: Record<string, number> = {};
  const functions: Record<string, number> = {};
  const regions = { executed: 0, whole: 0 };
  const { files } = JSON.parse(printed) as {
    readonly files: readonly {
      readonly file: string;
      readonly lines: readonly { readonly line_number: number; readonly count: number }[];
      readonly functions: readonly {
        readonly name: string;
        readonly execution_count: number;
        readonly blocks: number;
        readonly blocks_executed: number;
      }[];
    }[];
  };
  for (const { file, lines: own, functions: called } of files) {
    // Each instance of a template is listed.
    for (const { line_number, count } of own) {
      const key = `${resolve(folder, file)}:${line_number}`;
      lines[key] = (lines[key] ?? 0) + count;
    }
    for (const { name, execution_count, blocks, blocks_executed } of called) {
      functions[name] = execution_count;
      regions.executed += blocks_executed;
      regions.whole += blocks;
    }
  }
  return { lines, functions, regions };
}

/** The lines as read by readGcovFolder. */
async function readOwnBuild(folder: string) {
  const { executed, executable, faults } = withoutFault(await readGcovFolder(join(folder, 'own'), signal));
  expect(faults).toEqual([]);
  const lines = [...executable.files].flatMap(([file, numbers]) =>
    numbers.map((line) => [`${file}:${line}`, executed.files.get(file)?.get(line) ?? 0] as const),
  );
  const functions = [...executable.functions].map((name) => [name, executed.functions.get(name) ?? 0]);
  return {
    ...{ lines: Object.fromEntries(lines), functions: Object.fromEntries(functions) },
    regions: { executed: executed.regions, whole: executable.regions },
  };
}

const [gcc] = compilers().filter(({ c }) => c === 'gcc');

describe.runIf(gcc !== undefined)('line counts', () => {
  for (const [name, text] of Object.entries(programs))
    for (const level of someOf(['-O0', '-O2']))
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
        const { regions, ...counts } = await readOwnBuild(folder);
        const { regions: blocks, ...others } = gcovJson(folder);
        expect(counts).toEqual(others);
        expect(regions.whole).toBe(blocks.whole);
        // gcov counts the exit of each function in place of its last block: one too many if that block was not
        // executed.
        const mostBeyond = Object.keys(counts.functions).length;
        expect(blocks.executed - (regions.executed ?? 0)).toBeGreaterThanOrEqual(0);
        expect(blocks.executed - (regions.executed ?? 0)).toBeLessThan(mostBeyond);
      });
});

/** The comment of each line has its count: for a normal end, and after a kill in the seventh call. */
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
    it('a killed program leaves exact counts if its compiler handles calls that do not return', async () => {
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
      // clang assumes that calls return, so the count of an active call's line is off by one.
      if (compiler === gcc) expect(await marked('die')).toEqual(expected(2));
      else expect(await marked('die')).toMatchObject({ [`${join(folder, 'mortal.c')}:11`]: 7 });
    });
  });

/** Ends as its argument says. */
const ending = `#include <signal.h>
#include <stdlib.h>
#include <string.h>
int depth = 0;
__attribute__((noinline)) int innermost(const char *how) {
  depth++;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exit") == 0) exit(3);
  if (strcmp(how, "read") == 0) return *(volatile int *)0;
  if (strcmp(how, "recursion") == 0) return innermost(how) + depth;
  return depth;
}
__attribute__((noinline)) int middle(const char *how) {
  return innermost(how) + depth;
}
int main(int argc, char **argv) {
  return argc > 1 ? middle(argv[1]) & 0 : 0;
}
`;

for (const compiler of compilers())
  describe(`the stack of a program compiled by ${compiler.c}`, () => {
    it.each([
      ['with libraries', []],
      ['statically', ['-static']],
    ])('a failing run reports the functions it ended in, and ends unchanged, linked %s', async (_, linked) => {
      const folder = temporaryFolder('ending');
      const source = writeSource(folder, 'ending.c', ending);
      const program = countingProgram(folder, source, compiler, ['-O1'], linked);
      const functions = withoutFault(await ProgramFunctions.read(program));
      const stackOf = async (how: string) => {
        const file = join(folder, `counters-${how}`);
        const { signal: killedBy, status } = spawnSync(program, [how], {
          env: { CULPRIT_COUNTERS: file },
          cwd: folder,
        });
        const names = (await placesIn(stackPath(file))).map((place) => functions.at(place - 1));
        const own = ['innermost', 'middle', 'main'];
        return { end: killedBy ?? status, names: names.filter((name) => own.includes(name ?? '')) };
      };
      const whole = ['innermost', 'middle', 'main'];
      expect(await stackOf('abort')).toEqual({ end: 'SIGABRT', names: whole });
      expect(await stackOf('read')).toEqual({ end: 'SIGSEGV', names: whole });
      expect(await stackOf('exit')).toEqual({ end: 3, names: whole });
      expect(await stackOf('nothing')).toEqual({ end: 0, names: [] });
      const { end, names } = await stackOf('recursion');
      expect(end).toBe('SIGSEGV');
      expect(names.length).toBeGreaterThan(200);
      expect(new Set(names)).toEqual(new Set(['innermost']));
      expect(await placesIn(join(folder, 'nowhere'))).toEqual([]);
    });
  });

for (const compiler of compilers())
  describe(`objects that ${compiler.c} put into a folder below its sources`, () => {
    it('a table has only files of its source folders', async () => {
      const folder = temporaryFolder('below');
      mkdirSync(join(folder, 'objects'));
      writeSource(folder, 'a.c', 'int main(void) {\n  return 0;\n}\n');
      const run = (program: string, ...args: readonly string[]) =>
        execFileSync(program, [...args], { cwd: folder, stdio: 'ignore' });
      run(compiler.c, '--coverage', '-c', 'a.c', '-o', 'objects/a.o');
      run(compiler.c, '--coverage', 'objects/a.o', '-o', 'objects/a');
      run(join(folder, 'objects/a'));
      const { executed } = withoutFault(await readGcovFolder(folder, signal));
      expect(executed.files.get(join(folder, 'a.c'))?.get(2)).toBe(1);
    });
  });

/** Offsets of the block counts in notes of GCC 8 and later. */
function blocksRecords(bytes: Buffer): readonly number[] {
  const tag = Buffer.from([0, 0, 0x41, 1]);
  const found: number[] = [];
  for (let at = bytes.indexOf(tag); at >= 0; at = bytes.indexOf(tag, at + 4)) found.push(at + 8);
  return found;
}

describe('readNotes', () => {
  it('reports damaged or truncated notes and never misreads them', async () => {
    const folder = temporaryFolder('notes');
    const [compiler = { c: 'cc', cxx: 'c++' }] = compilers();
    countingProgram(folder, writeSource(folder, 'a.c', programs['goto-and-switch.c'] ?? ''), compiler);
    const bytes = readFileSync(join(folder, 'counted.gcno'));
    const whole = withoutFault(readNotes(bytes));
    expect(whole.functions.map(({ name }) => name).toSorted()).toEqual(['main', 'step']);
    expect(readNotes(Buffer.from('not notes at all'))).toBeInstanceOf(Fault);
    expect(readNotes(bytes.subarray(0, bytes.length - 5))).toBeInstanceOf(Fault);
    // Each count alone would fit into the file; together they do not.
    const many = Buffer.from(bytes);
    for (const at of blocksRecords(bytes)) many.writeUInt32LE(Math.floor(0.7 * bytes.length), at);
    expect(readNotes(many)).toBeInstanceOf(Fault);
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

it('countersIn rejects missing counters and those of another build', async () => {
  const file = join(temporaryFolder('counters'), 'counters.bin');
  expect(await countersIn(file, 16)).toMatchObject({ message: expect.stringContaining('left no counters') });
  writeFileSync(file, Buffer.alloc(8));
  expect(await countersIn(file, 16)).toMatchObject({ message: expect.stringContaining('another build') });
});

describe.runIf(gcc !== undefined)('readGcovFolder', () => {
  let folder: string;
  let notes: Buffer;
  let counters: Buffer;

  beforeAll(() => {
    folder = temporaryFolder('gcda');
    const name = writeSource(folder, 'a.c', programs['goto-and-switch.c'] ?? '');
    gcovOf(folder, name, 'gcc', ['-O0']);
    notes = readFileSync(join(folder, ownBuild, 'plain.gcno'));
    counters = readFileSync(join(folder, ownBuild, 'plain.gcda'));
  });

  /** Reads a folder with these files. */
  const readOf = (files: Readonly<Record<string, Uint8Array>>) => {
    const other = temporaryFolder('other');
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(other, name), bytes);
    const read = readGcovFolder(other, signal);
    return read.finally(() => removeFolder(other));
  };

  it('reads the counters of all functions in the notes, including omitted zeros', () => {
    const noted = withoutFault(readNotes(notes));
    const counted = withoutFault(readCounters(counters));
    expect(counted.stamp).toBe(noted.stamp);
    for (const one of counted.functions) {
      const { arcs = [] } = noted.functions.find(({ ident }) => one.ident === ident) ?? {};
      expect(one.counters).toBe(arcs.filter(({ isOnTree }) => !isOnTree).length);
      expect(Math.max(...one.counts)).toBeGreaterThan(0);
    }
    expect(readCounters(counters.subarray(0, 50))).toBeInstanceOf(Fault);
    expect(readCounters(Buffer.from('gcno'))).toBeInstanceOf(Fault);
  });

  it('names files relative to the source folder and leaves out libraries', async () => {
    const read = withoutFault(await readGcovFolder(folder, signal));
    const build = withoutFault(countedBuild(read, undefined));
    expect(build.sources).toBe(folder);
    expect([...build.executed.files.keys()]).toEqual(['a.c']);
    expect(
      withoutFault(countedBuild(read, dirname(folder)))
        .executed.files.keys()
        .next().value,
    ).toBe(`${basename(folder)}/a.c`);
    expect(countedBuild(read, join(folder, 'own'))).toMatchObject({
      kind: 'usage',
      message: `no compiled source is in ${join(folder, 'own')}: the sources are in ${folder}`,
    });
  });

  it('reports a source that never ran with zero executed lines, next to one that ran', async () => {
    const { executed, executable } = withoutFault(
      await readOf({ 'a.gcno': notes, 'a.gcda': counters, 'b.gcno': notes }),
    );
    expect(executed.functions.get('main')).toBe(1);
    expect(executable.functions).toEqual(new Set(['main', 'step']));
    expect(await readOf({ 'b.gcno': notes })).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('has notes but no counters (.gcda)'),
    });
  });

  it('reads each file once if links lead back to the folder or to a part of it', async () => {
    const linked = temporaryFolder('linked');
    for (const [name, bytes] of Object.entries({ 'a.gcno': notes, 'a.gcda': counters })) {
      writeFileSync(join(linked, name), bytes);
      symlinkSync(join(linked, name), join(linked, name.replace('a', 'b')));
    }
    symlinkSync('.', join(linked, 'loop'));
    const { executed, executable, faults } = withoutFault(await readGcovFolder(linked, signal));
    expect(faults).toEqual([]);
    expect(executed.functions.get('main')).toBe(1);
    const plain = withoutFault(await readOf({ 'a.gcno': notes, 'a.gcda': counters }));
    expect(executable.regions).toBe(plain.executable.regions);
    // Links to files elsewhere are followed.
    const other = temporaryFolder('links');
    for (const name of ['a.gcno', 'a.gcda']) symlinkSync(join(linked, name), join(other, name));
    expect(withoutFault(await readGcovFolder(other, signal)).executed.functions.get('main')).toBe(1);
  });

  it('reports notes that end before the last function as cut off', async () => {
    const { functions } = withoutFault(readNotes(notes));
    expect(functions).toHaveLength(2);
    let cuts = 0;
    for (let at = 12; at < notes.length; at++) {
      const cut = readNotes(notes.subarray(0, at));
      if (cut instanceof Fault || cut.functions.length === functions.length) continue;
      cuts++;
      expect(await readOf({ 'a.gcno': notes.subarray(0, at), 'a.gcda': counters })).toMatchObject({
        message: expect.stringContaining('it is cut off or of another build'),
      });
    }
    expect(cuts).toBeGreaterThan(0);
  });

  it('reports a broken file and reads the others', async () => {
    const stranger = Buffer.from(counters);
    stranger.writeUInt32LE((stranger.readUInt32LE(8) ^ 1) >>> 0, 8);
    const whole = { 'a.gcno': notes, 'a.gcda': counters };
    const faultsOf = async (more: Readonly<Record<string, Uint8Array>>) => {
      const { executed, faults } = withoutFault(await readOf({ ...whole, ...more }));
      expect(executed.functions.get('main')).toBe(1);
      return faults.map(({ kind, message }) => [kind, message.replaceAll(/\S*\//g, '')]);
    };
    expect(await faultsOf({})).toEqual([]);
    expect(await faultsOf({ 'b.gcno': notes, 'b.gcda': stranger })).toEqual([
      ['usage', 'b.gcda is of another build than b.gcno: build again, and run the program again'],
    ]);
    expect(await faultsOf({ 'b.gcda': counters })).toEqual([
      ['usage', 'b.gcda has no notes: its .gcno is missing'],
    ]);
    expect(
      await faultsOf({
        'b.gcno': notes.subarray(0, notes.length - 5),
        'c.gcno': notes,
        'c.gcda': counters.subarray(0, 50),
        'd.gcno': Buffer.from('#include <stdio.h>'),
      }),
    ).toEqual([
      ['usage', 'b.gcno cannot be read: it is cut off'],
      ['usage', 'c.gcda cannot be read: it is cut off'],
      ['usage', "d.gcno cannot be read: it does not hold gcov's notes"],
    ]);
    expect(await readOf({ 'a.gcno': notes, 'a.gcda': stranger })).toMatchObject({ kind: 'usage' });
  });

  it('reports a folder without notes and counters', async () => {
    expect(await readOf({})).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('neither notes (.gcno) nor counters (.gcda)'),
    });
    expect(await readGcovFolder(join(folder, 'a.c'), signal)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('a.c is a file'),
    });
    expect(await readGcovFolder(join(folder, 'none'), signal)).toMatchObject({ kind: 'usage' });
  });

  it('reads or rejects files that are cut off or changed anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.nat(),
        fc.option(fc.nat(255), { nil: undefined }),
        async (isNotes, place, byte) => {
          const whole = isNotes ? notes : counters;
          const at = place % whole.length;
          const changed = byte === undefined ? whole.subarray(0, at) : Buffer.from(whole);
          if (byte !== undefined) changed[at] = byte;
          const read = await readOf({
            'a.gcno': isNotes ? changed : notes,
            'a.gcda': isNotes ? counters : changed,
          });
          if (read instanceof Fault) expect(read.message).not.toBe('');
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('loopCount', () => {
  it('counts iterations of loops on one line', () => {
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
