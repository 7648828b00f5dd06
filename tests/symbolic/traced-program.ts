/** Builds programs with `culprit-cc --trace`, runs them, and replays their records. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programOf } from '../../src/program/compile/index.js';
import { type Instance, type Replay, type RunRecord, recordsIn, replay } from '../../src/symbolic/index.js';
import { needsTools } from '../needs.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compileWithTrace } from './traced-compilation.js';

needsTools('compilers');

const script = fileURLToPath(new URL('../../src/program/compile/cc.sh', import.meta.url));

export interface TracedRun extends SpawnSyncReturns<string> {
  /** The folder of its records. */
  readonly traces: string;
}

/** A folder for the programs of a test file. */
export class TracedPrograms {
  readonly folder = temporaryFolder('traced');

  constructor() {
    mkdirSync(join(this.folder, 'bin'));
    for (const name of ['culprit-cc', 'culprit-c++']) symlinkSync(script, join(this.folder, 'bin', name));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Calls `culprit-cc --trace`, or another program, in the folder. Throws unless it succeeds. */
  do(program: string, ...args: readonly string[]): void {
    const isOurs = program.startsWith('culprit-');
    const path = isOurs ? join(this.folder, 'bin', program) : program;
    const { status, stderr } = spawnSync(path, isOurs ? ['--trace', ...args] : args, {
      cwd: this.folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  }

  /** Builds a program from one source, and returns its path. */
  async build(source: string, { language = 'c', options = [] as readonly string[] } = {}): Promise<string> {
    const name = mkdtempSync(join(this.folder, 'program-'));
    const [compiler, file] =
      language === 'c' ? (['clang', 'main.c'] as const) : (['clang++', 'main.cc'] as const);
    writeFileSync(join(name, file), source);
    const words = ['-w', ...options, join(name, file), '-o', join(name, 'main')];
    await compileWithTrace(compiler, words, this.folder);
    return join(name, 'main');
  }

  run(program: string, args: readonly string[] = [], input = ''): TracedRun {
    const traces = mkdtempSync(join(this.folder, 'traces-'));
    const env = { ...process.env, CULPRIT_TRACE_DIR: traces };
    const end = spawnSync(program, args, { cwd: this.folder, env, input, encoding: 'utf8', timeout: 60_000 });
    return { ...end, traces };
  }

  remove(): void {
    removeFolder(this.folder);
  }
}

/** Replays all records of a run. */
export async function replays(
  { traces }: Pick<TracedRun, 'traces'>,
  ...libraries: readonly string[]
): Promise<readonly { readonly record: RunRecord; readonly run: Replay }[]> {
  const found: { record: RunRecord; run: Replay }[] = [];
  for (const record of withoutFault(await recordsIn(traces))) {
    const programs = [];
    for (const path of [record.program, ...libraries]) programs.push(withoutFault(await programOf(path)));
    found.push({ record, run: withoutFault(await replay(record, programs)) });
  }
  return found;
}

export async function onlyReplay(traced: TracedRun, ...libraries: readonly string[]): Promise<Replay> {
  const [first, ...others] = await replays(traced, ...libraries);
  if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} runs were recorded`);
  return first.run;
}

/** The arguments of each call of printf after the format, as signed 32-bit numbers. */
export function printed(run: Replay): readonly (readonly number[])[] {
  return run.outputs
    .filter((output) => run.calledOutside(output) === 'printf')
    .map((output) =>
      run
        .argumentsOf(output)
        .slice(1)
        .map((value) => Number(BigInt.asIntN(32, value ?? 0n))),
    );
}

/** The lines that an instance was computed from, through registers and memory. */
export function dataLines(run: Replay, from: Instance): readonly number[] {
  return linesOf(run, from, (at) => dataOf(run, at));
}

/** Like `dataLines`, with the branches and calls that decided on them. */
export function sliceLines(run: Replay, from: Instance): readonly number[] {
  return linesOf(run, from, (at) => [...dataOf(run, at), run.controllerOf(at)]);
}

function dataOf(run: Replay, at: Instance): readonly Instance[] {
  // Copied bytes are traced one by one from where they are read.
  if (run.isCopy(at)) return run.operandsOf(at);
  const { writers, copies } = run.originsOf(at);
  return [...run.operandsOf(at), ...writers.map(({ writer }) => writer), ...copies];
}

function linesOf(
  run: Replay,
  from: Instance,
  before: (at: Instance) => readonly Instance[],
): readonly number[] {
  const seen = new Set<Instance>();
  const lines = new Set<number>();
  const left = [from];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (at < 0 || seen.has(at)) continue;
    seen.add(at);
    const line = run.lineOf(at)?.line;
    if (line !== undefined) lines.add(line);
    left.push(...before(at));
  }
  return [...lines].toSorted((a, b) => a - b);
}
