/** Runs a build that counts executed lines. Counts are available even if the run was killed. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault, readInput, sha256, temporaryFolder, usageFault } from '../machine/index.js';
import { openRunner, type Run, type RunnerOptions, type RunRequest, type Version } from '../solver/index.js';
import type { LineCounts } from './line-counts.js';
import { countersIn, removeCounters } from './native/counters-file.js';
import { listCounters, tablePath } from './native/coverage-files.js';
import { placesIn, stackPath } from './native/stack-file.js';
import { CoverageTable } from './table.js';
import { readTable } from './table-file.js';

export interface CountedRun {
  readonly run: Run;
  readonly executed: LineCounts;
  /** Return addresses of the calls that were active at the end, innermost first. */
  readonly unfinished: readonly number[];
}

/** The coverage table of a version; a fault if the version does not count. */
export async function tableOf({ name, program }: Version): Promise<CoverageTable | Fault> {
  const file = program.kind === 'native' ? (program.command.at(-1) ?? '') : undefined;
  const path = file === undefined ? undefined : tablePath(file);
  if (file === undefined || path === undefined || !existsSync(path))
    return usageFault(
      `${name} does not count what it executes: name a commit as git:REPOSITORY@REVISION?coverage`,
    );
  const bytes = readInput(path);
  if (bytes instanceof Fault) return bytes;
  const parts = readTable(bytes);
  if (parts instanceof Fault) return new Fault(parts.kind, `${path}: ${parts.message}`);
  const { linked } = parts;
  if (linked !== undefined) {
    const digest = await digestOfCounters(file);
    if (digest instanceof Fault) return digest;
    if (digest !== linked) return usageFault(`${path} is of another build than ${file}: build it again`);
  }
  return new CoverageTable(parts);
}

/** Undefined if the program does not list its counters. */
async function digestOfCounters(program: string): Promise<string | undefined | Fault> {
  const folder = await temporaryFolder('counters');
  try {
    const text = await listCounters(program, join(folder, 'counters.txt'));
    return typeof text === 'string' ? sha256(text) : text;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A runner whose runs leave counters. Must be closed. */
export class CountingRunner {
  #next = 0;

  private constructor(
    private readonly runner: ReturnType<typeof openRunner>,
    private readonly folder: string,
  ) {}

  static async open(options: Pick<RunnerOptions, 'workers' | 'pin'>): Promise<CountingRunner> {
    const folder = await temporaryFolder('counters');
    return new CountingRunner(openRunner({ ...options, writable: [folder] }), folder);
  }

  get solvingMs(): number {
    return this.runner.solvingMs;
  }

  async run(request: RunRequest, table: CoverageTable, signal: AbortSignal): Promise<CountedRun | Fault> {
    const { version } = request;
    if (version.program.kind !== 'native') return usageFault(`${version.name} is not a native program`);
    const file = join(this.folder, String(this.#next++));
    const command = ['env', `CULPRIT_COUNTERS=${file}`, ...version.program.command];
    const limits = { ...request.limits, fileBytes: table.parts.counterBytes };
    try {
      // A reused solver process would count several formulas into the file of the first.
      const run = await this.runner.run(
        { ...request, limits, glance: false, version: { ...version, program: { kind: 'native', command } } },
        signal,
      );
      const counters = await countersIn(file, table.parts.counterBytes, {
        mayLackThem: run.outcome === 'timeout',
      });
      if (counters instanceof Fault) return counters;
      return { run, executed: table.countsOf(counters), unfinished: await placesIn(stackPath(file)) };
    } finally {
      await removeCounters(file);
      await rm(stackPath(file), { force: true });
    }
  }

  async close(): Promise<void> {
    await this.runner.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
