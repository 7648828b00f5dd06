/** Runs formulas on versions that count: builds that count lines, or embedded solvers, which count calls. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../machine/index.js';
import {
  type CallCounts,
  functionNames,
  openRunner,
  type Run,
  type RunRequest,
  type Version,
} from '../solver/index.js';
import { type CalledRun, runWithCalls } from './counted-calls.js';
import { CountingRunner, tableOf } from './counted-run.js';
import type { Executable, Executed } from './executed.js';
import type { LineCounts } from './line-counts.js';
import { executableIn, executedIn } from './named-counts.js';
import { ProgramFunctions } from './native/program-functions.js';
import { type PackedCounts, packedPlaces, placeOf } from './packed.js';
import { type PlaceNames, SourceLines } from './place-names.js';
import type { CoverageTable } from './table.js';

export interface CoveredRun {
  readonly run: Run;
  readonly executed: Executed;
}

/** A run with its counts by number. */
export interface PackedRun {
  readonly run: Run;
  readonly executed: PackedCounts;
  /** Return places of the calls that were active at the end, innermost first; see `callsAt`. */
  readonly unfinished: readonly number[];
}

/** A called function of the solver, not of a library. */
export interface CalledFunction {
  /** The linker name. */
  readonly name: string;
  readonly file: string;
  /** First and last line. */
  readonly lines: readonly [number, number];
}

/** Counting data of a version. */
type CountingVersion =
  | { readonly kind: 'lines'; readonly table: CoverageTable }
  | {
      readonly kind: 'calls';
      readonly names: readonly (string | undefined)[];
      /** Number of each function's class or namespace; undefined for library functions. */
      readonly scopes: readonly (number | undefined)[];
    };

export class CoverageRunner {
  private constructor(
    private readonly counted: Map<Version, CountingVersion>,
    private readonly native: CountingRunner,
    private readonly embedded: ReturnType<typeof openRunner>,
  ) {}

  /** A fault if one of the versions does not count. */
  static async open(versions: readonly Version[], workers: number): Promise<CoverageRunner | Fault> {
    const runner = new CoverageRunner(
      new Map(),
      await CountingRunner.open({ workers }),
      openRunner({ workers }),
    );
    for (const version of versions) {
      const fault = await runner.add(version);
      if (fault === undefined) continue;
      await runner.close();
      return fault;
    }
    return runner;
  }

  /** Total solving time. */
  get solvingMs(): number {
    return this.native.solvingMs + this.embedded.solvingMs;
  }

  /** Adds a version; a fault if it does not count. */
  async add(version: Version): Promise<Fault | undefined> {
    if (this.counted.has(version)) return undefined;
    const counting = await readCountingVersion(version);
    if (counting instanceof Fault) return counting;
    this.counted.set(version, counting);
    return undefined;
  }

  /** @param version passed to `open` or `add` */
  executableOf(version: Version): Executable {
    const counting = this.#countingOf(version);
    if (counting.kind === 'lines') return executableIn(counting.table);
    const ownNames = counting.names.flatMap((name) => (name !== undefined && isOwn(name) ? [name] : []));
    return { functions: new Set(ownNames), files: undefined };
  }

  async run(request: RunRequest, signal: AbortSignal): Promise<CoveredRun | Fault> {
    const counting = this.#countingOf(request.version);
    if (counting.kind === 'calls') {
      const done = await this.#runWithCalls(request, signal);
      if (done instanceof Fault) return done;
      return {
        run: done.run,
        executed: { functions: callsOf(done.called, counting.names), files: new Map() },
      };
    }
    const done = await this.native.run(request, counting.table, signal);
    return done instanceof Fault
      ? done
      : { run: done.run, executed: executedIn(done.executed, counting.table) };
  }

  /** Counts by number, to compare many runs. Numbers are equal in all runs of a version. */
  async runPacked(request: RunRequest, signal: AbortSignal): Promise<PackedRun | Fault> {
    const counting = this.#countingOf(request.version);
    if (counting.kind === 'calls') {
      const done = await this.#runWithCalls(request, signal);
      if (done instanceof Fault) return done;
      const executed = packedPlaces(placesCalled(done.called, counting.scopes));
      return { run: done.run, executed, unfinished: [] };
    }
    const done = await this.native.run(request, counting.table, signal);
    if (done instanceof Fault) return done;
    const { run, executed, unfinished } = done;
    return { run, executed: packedPlaces(placesExecuted(executed, counting.table)), unfinished };
  }

  /** The solver's functions among the active calls, innermost first. */
  async callsAt(version: Version, places: readonly number[]): Promise<readonly CalledFunction[] | Fault> {
    const counting = this.#countingOf(version);
    if (counting.kind === 'calls' || version.program.kind !== 'native' || places.length === 0) return [];
    const functions = await ProgramFunctions.read(version.program.command.at(-1) ?? '');
    if (functions instanceof Fault) return functions;
    const { files, functions: noted } = counting.table.parts;
    const byName = new Map(noted.map((one) => [one.name, one]));
    return places.flatMap((place) => {
      // The return address may be the start of the next function.
      const name = functions.at(place - 1);
      const calledFunction = name === undefined ? undefined : byName.get(name);
      const file = calledFunction?.file === undefined ? undefined : files[calledFunction.file];
      return calledFunction === undefined || file === undefined
        ? []
        : [{ name: calledFunction.name, file, lines: [calledFunction.startLine, calledFunction.endLine] }];
    });
  }

  /** Names for the numbers of `runPacked`. */
  namesOf(version: Version): PlaceNames {
    const counting = this.#countingOf(version);
    if (counting.kind === 'lines') return new SourceLines(counting.table.parts);
    const { names, scopes } = counting;
    const files: string[] = [];
    for (const [at, scope] of scopes.entries())
      if (scope !== undefined) files[scope] ??= scopeOf(names[at] ?? '');
    return { files, counts: 'calls', functionAt: (_, line) => names[line] };
  }

  async prepare(versions: readonly Version[], signal: AbortSignal): Promise<void> {
    const embedded = versions.filter((version) => this.counted.get(version)?.kind === 'calls');
    await this.embedded.prepare(embedded, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.native.close(), this.embedded.close()]);
  }

  #runWithCalls(request: RunRequest, signal: AbortSignal): Promise<CalledRun | Fault> {
    return runWithCalls(() => this.embedded.run({ ...request, calls: true }, signal));
  }

  #countingOf(version: Version): CountingVersion {
    const counting = this.counted.get(version);
    if (counting === undefined) throw new RangeError(`${version.name} was not named when this was opened`);
    return counting;
  }
}

async function readCountingVersion(version: Version): Promise<CountingVersion | Fault> {
  const { program } = version;
  if (program.kind === 'wasm') {
    const module = await readFile(join(program.packageDir, 'build', 'z3-built.wasm'));
    const names = functionNames(module);
    return { kind: 'calls', names, scopes: scopesOf(names) };
  }
  const table = await tableOf(version);
  return table instanceof Fault ? table : { kind: 'lines', table };
}

/** Undefined if the version counts. */
export async function checkCounting(version: Version): Promise<Fault | undefined> {
  const counting = await readCountingVersion(version);
  return counting instanceof Fault ? counting : undefined;
}

const library = /^(std|__cxxabiv1)(::|$)/;

/**
 * Excludes C functions, which have no parameters in their names, and the C++ standard library, except lambdas passed
 * to it.
 */
export function isOwn(name: string): boolean {
  if (!name.includes('(') || /^operator (new|delete)\b/.test(name)) return false;
  return !library.test(scopeOf(name)) || name.includes('$_') || name.includes("'lambda");
}

/** Functions of embedded solvers have no file; their class or namespace stands for it. */
function scopesOf(names: readonly (string | undefined)[]): readonly (number | undefined)[] {
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const scope = name !== undefined && isOwn(name) ? scopeOf(name) : undefined;
    if (scope === undefined) return undefined;
    const number = numbers.get(scope) ?? numbers.size;
    numbers.set(scope, number);
    return number;
  });
}

/**
 * `smt::theory_seq` of `smt::theory_seq::propagate(int)`: the text before the last `::` outside of brackets, without
 * a template's return type.
 */
export function scopeOf(name: string): string {
  // Brackets that are part of a name.
  const text = name.replaceAll('(anonymous namespace)', 'anonymous').replace(/\boperator\b.*$/, 'operator()');
  let depth = 0;
  let [start, end] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '(' && depth === 0) break;
    if (letter === '<' || letter === '(') depth++;
    else if (letter === '>' || letter === ')') depth--;
    else if (depth > 0) continue;
    else if (letter === ' ') [start, end] = [at + 1, at + 1];
    else if (letter === ':' && text[at + 1] === ':') end = at++;
  }
  return text.slice(start, end);
}

function* placesCalled(
  { functions, calls }: CallCounts,
  scopes: readonly (number | undefined)[],
): Generator<readonly [number, number]> {
  for (const [at, index] of functions.entries()) {
    const scope = scopes[index];
    if (scope !== undefined) yield [placeOf(scope, index), calls[at] ?? 0];
  }
}

function* placesExecuted(
  { lines, counts }: LineCounts,
  { parts }: CoverageTable,
): Generator<readonly [number, number]> {
  for (const [at, line] of lines.entries())
    yield [placeOf(parts.lineFiles[line] ?? 0, parts.lineNumbers[line] ?? 0), counts[at] ?? 0];
}

function callsOf(called: CallCounts, names: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  called.functions.forEach((index, at) => {
    const name = names[index] ?? '';
    if (!isOwn(name)) return;
    calls.set(name, (calls.get(name) ?? 0) + (called.calls[at] ?? 0));
  });
  return calls;
}
