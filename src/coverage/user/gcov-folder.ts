/** Reads a folder of notes and counters that GCC and its programs left, with gcov's results. */

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { cannotRead, Fault, filesBelow, readInput, usageFault, YieldTimer } from '../../machine/index.js';
import { type Counters, readCounters } from '../gcov/counters.js';
import { type FunctionSums, lineSums } from '../gcov/line-sums.js';
import { type NotedFunction, readNotes } from '../gcov/notes.js';
import { GrowingTable } from '../growing-table.js';
import { executableIn, executedIn } from '../named-counts.js';
import { CoverageTable } from '../table.js';
import type { ReadCounters } from './counted-build.js';

const everywhere = [{ path: '/', named: '/' }];
const counterSize = 8;

export async function readGcovFolder(folder: string, signal: AbortSignal): Promise<ReadCounters | Fault> {
  const names = await filesIn(folder).catch((error: unknown) => folderFault(folder, error));
  if (names instanceof Fault) return names;
  const notes = stemsOf(names, '.gcno');
  const counters = stemsOf(names, '.gcda');
  if (notes.size === 0 && counters.size === 0)
    return usageFault(
      `${folder} has neither notes (.gcno) nor counters (.gcda): compile with gcc --coverage`,
    );
  if (counters.size === 0)
    return usageFault(`${folder} has notes but no counters (.gcda): run the program until it exits`);
  const build = new GcovBuild(folder);
  const yieldTimer = new YieldTimer(signal);
  for (const stem of [...new Set([...notes, ...counters])].toSorted()) {
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
    build.add(stem, notes.has(stem), counters.has(stem));
  }
  return build.finish();
}

/** All files at any depth, each once: does not enter linked folders, and skips links to files inside the folder. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const within = `${await realpath(folder)}${sep}`;
  const names: string[] = [];
  for (const { path, isLink } of await filesBelow(folder)) {
    if (isLink && (await realpath(path).catch(() => within)).startsWith(within)) continue;
    names.push(relative(folder, path));
  }
  return names;
}

function folderFault(folder: string, error: unknown): Fault {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTDIR'
    ? usageFault(`${folder} is a file: name the folder with the notes and counters`)
    : cannotRead(folder, error);
}

function stemsOf(names: readonly string[], ending: string): ReadonlySet<string> {
  return new Set(names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length)));
}

/** The notes of one compiled source with its counters. */
interface GcovUnit {
  readonly functions: readonly { readonly sums: FunctionSums; readonly counts: readonly number[] }[];
  readonly folder: string;
}

class GcovBuild {
  readonly #table = new GrowingTable(everywhere);
  readonly #counters: number[] = [];
  readonly #faults: Fault[] = [];
  #units = 0;

  constructor(private readonly folder: string) {}

  /** @param stem the path of both files without their extensions */
  add(stem: string, hasNotes: boolean, hasCounters: boolean): void {
    const unit = hasNotes
      ? readUnit(join(this.folder, stem), hasCounters)
      : usageFault(`${join(this.folder, stem)}.gcda has no notes: its .gcno is missing`);
    if (unit instanceof Fault) {
      this.#faults.push(unit);
      return;
    }
    this.#units++;
    for (const { sums, counts } of unit.functions) {
      const counters = sums.flow.counted.length;
      this.#table.add({ firstCounter: this.#counters.length, counters }, sums, unit.folder);
      for (let at = 0; at < counters; at++) this.#counters.push(counts[at] ?? 0);
    }
  }

  finish(): ReadCounters | Fault {
    const [first, ...others] = this.#faults;
    if (this.#units === 0 && first !== undefined)
      return others.length === 0
        ? first
        : usageFault(`${first.message}; no other source of ${this.folder} could be read either`);
    const table = new CoverageTable(this.#table.finish(counterSize * this.#counters.length));
    const executable = executableIn(table);
    return {
      executed: executedIn(table.countsOf(Float64Array.from(this.#counters)), table),
      executable: { ...executable, files: executable.files ?? new Map() },
      faults: this.#faults,
    };
  }
}

function readUnit(stem: string, hasCounters: boolean): GcovUnit | Fault {
  const [notesFile, countersFile] = [`${stem}.gcno`, `${stem}.gcda`];
  const notes = readFrom(notesFile, readNotes);
  if (notes instanceof Fault) return notes;
  const folder = notes.folder ?? guessCompilerFolder(resolve(dirname(stem)), notes.functions);
  // Without counters, all compiled functions count as executable. Otherwise a program contains one of several copies.
  if (!hasCounters)
    return { folder, functions: lineSums(notes.functions).map((sums) => ({ sums, counts: [] })) };
  const counters = readFrom(countersFile, readCounters);
  if (counters instanceof Fault) return counters;
  const otherBuild = usageFault(
    `${countersFile} is of another build than ${notesFile}: build again, and run the program again`,
  );
  if (counters.stamp !== notes.stamp) return otherBuild;
  const counted: ReadonlyMap<number, Counters['functions'][number]> = new Map(
    counters.functions.map((one) => [one.ident, one]),
  );
  const noted = new Set(notes.functions.map(({ ident }) => ident));
  if (counters.functions.some(({ ident }) => !noted.has(ident)))
    return usageFault(
      `${notesFile} lacks functions that ${countersFile} counts: it is cut off or of another build`,
    );
  const isLinked = ({ ident, lineChecksum, flowChecksum }: NotedFunction): boolean => {
    const countedFunction = counted.get(ident);
    return countedFunction?.flowChecksum === flowChecksum && countedFunction.lineChecksum === lineChecksum;
  };
  const functions = lineSums(notes.functions, isLinked).map((sums) => ({
    sums,
    counted: counted.get(sums.noted.ident),
  }));
  if (functions.some(({ sums, counted: one }) => one?.counters !== sums.flow.counted.length))
    return otherBuild;
  return {
    folder,
    functions: functions.map(({ sums, counted: one }) => ({ sums, counts: one?.counts ?? [] })),
  };
}

/**
 * Guesses the compiler's working folder if the notes have none, as clang's: objects are often below the folder that
 * source names are relative to.
 */
function guessCompilerFolder(objects: string, functions: readonly NotedFunction[]): string {
  const source = functions[0]?.source ?? '';
  for (let folder = objects; ; folder = dirname(folder)) {
    if (existsSync(resolve(folder, source))) return folder;
    if (folder === dirname(folder)) return objects;
  }
}

function readFrom<Value>(file: string, read: (bytes: Uint8Array) => Value | Fault): Value | Fault {
  const bytes = readInput(file);
  if (bytes instanceof Fault) return bytes;
  const value = read(bytes);
  return value instanceof Fault ? usageFault(`${file} cannot be read: ${value.message}`) : value;
}
