/** The test run once more on a version whose programs record what they do. */

import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  Fault,
  makeFolder,
  packageFile,
  readInputText,
  thisMachine,
  usageFault,
  writeWithin,
} from '../../machine/index.js';
import { findClang, programOf } from '../../program/compile/index.js';
import { type Replay, type RunRecord, recordsIn, replay } from '../../symbolic/index.js';
import { type Commands, runBuild, runTest } from '../trials/commands.js';
import { standInCompilers } from '../trials/compilers-on-path.js';
import { layOutSources, type Sources } from '../trials/sources.js';
import { type Verdict, verdictSchema } from '../trials/verdict.js';

export interface TracedRun {
  /** Where the sources were compiled: lines are told from there. */
  readonly source: string;
  readonly verdict: Verdict;
  /** Of every process that recorded, in the order they began. */
  readonly records: readonly RunRecord[];
}

/** Left when a run is recorded to its end. */
const doneName = 'recorded.json';
const doneSchema = z.object({ source: z.string(), verdict: verdictSchema });

/** One that was recorded to its end before, at the same place: programs are found by where they were built. */
async function recordedBefore(folder: string): Promise<TracedRun | undefined> {
  const text = readInputText(join(folder, doneName), { maxBytes: 1 << 16 });
  if (text instanceof Fault) return undefined;
  const done = doneSchema.safeParse(parsed(text)).data;
  const source = resolve(folder, 'source');
  const records = done?.source === source ? await recordsIn(join(folder, 'traces')) : undefined;
  if (done === undefined || records === undefined || records instanceof Fault) return undefined;
  return { source, verdict: done.verdict, records };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What was recorded to its end before is not recorded again, unless it is to be prepared.
 *
 * @param folder of culprit's own, for this alone
 * @param prepare what is to be done to the sources first
 */
export async function tracedRun(
  sources: Sources,
  folder: string,
  commands: Commands,
  signal: AbortSignal,
  prepare?: (source: string) => Promise<Fault | undefined>,
): Promise<TracedRun | Fault> {
  const before = prepare === undefined ? await recordedBefore(folder) : undefined;
  if (before !== undefined) return before;
  const source = await layOutSources(sources, folder, signal);
  if (source instanceof Fault) return source;
  const unprepared = await prepare?.(source);
  if (unprepared !== undefined) return unprepared;
  const traces = resolve(folder, 'traces');
  await makeFolder(traces);
  const path = await standInCompilers(resolve(folder, 'compilers'), packageFile('src/program/compile/cc.sh'));
  if (path instanceof Fault) return path;
  const tracing = { ...commands, env: { ...commands.env, PATH: path, CULPRIT_TRACE: '1' } };
  const built = await runBuild(source, tracing, signal);
  if (built instanceof Fault) return built;
  if (!built.isBuilt) return whyNotBuilt();
  const tested = await runTest(
    source,
    // To record takes memory of its own.
    { ...commands, memoryBytes: undefined, env: { ...commands.env, CULPRIT_TRACE_DIR: traces } },
    signal,
  );
  if (tested instanceof Fault) return tested;
  const records = await recordsIn(traces);
  if (records instanceof Fault) return records;
  const done = { source: resolve(source), verdict: tested.verdict };
  if (!tested.isUnsure) await writeWithin(folder, doneName, JSON.stringify(done), { isDisposable: true });
  return { ...done, records };
}

/**
 * A process of the test recorded once more, on what `tracedRun` left in the folder: the same programs. Undefined where that
 * is not to be had. What was recorded to its end before is not recorded again.
 */
export async function recordedAgain(
  folder: string,
  process: number,
  commands: Commands,
  signal: AbortSignal,
): Promise<RunRecord | undefined> {
  const [traces, done] = [join(resolve(folder), 'traces-again'), 'recorded-again.json'];
  if (readInputText(join(folder, done)) instanceof Fault) {
    await rm(traces, { recursive: true, force: true });
    await makeFolder(traces);
    const env = { ...commands.env, CULPRIT_TRACE_DIR: traces };
    const tested = await runTest(resolve(folder, 'source'), { ...commands, env }, signal);
    if (tested instanceof Fault) return undefined;
    await writeWithin(folder, done, JSON.stringify(tested.verdict), { isDisposable: true });
  }
  const records = await recordsIn(traces);
  return records instanceof Fault ? undefined : records[process];
}

/** The compiler that records is a clang. */
async function whyNotBuilt(): Promise<Fault> {
  const clang = await findClang(thisMachine());
  return clang instanceof Fault ? clang : usageFault('it does not build with a compiler that records runs');
}

/** More would not fit into memory, or take minutes: beyond that a run is not followed. */
const mostInstances = 20_000_000;

export async function replayed(
  record: RunRecord,
  signal: AbortSignal,
  most = mostInstances,
): Promise<Replay | Fault> {
  const program = await programOf(record.program);
  return program instanceof Fault ? program : replay(record, [program], { most, signal });
}
