/** The test of a version whose programs are compiled to record a trace. */

import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  Fault,
  makeFolder,
  packageFile,
  parsedJson,
  readInputText,
  thisMachine,
  usageFault,
  writeWithin,
} from '../../machine/index.js';
import { findClang, programOf } from '../../program/compile/index.js';
import { type Replay, type RunRecord, recordsIn, replay } from '../../symbolic/index.js';
import { standInCompilers } from '../trials/compilers-on-path.js';
import type { TestedVersion } from '../trials/tested-version.js';
import { type Verdict, verdictSchema } from '../trials/verdict.js';

export interface TracedRun {
  /** The folder in which the sources were compiled; file names are relative to it. */
  readonly source: string;
  readonly verdict: Verdict;
  /** One per process, in the order of their start. */
  readonly records: readonly RunRecord[];
}

/** Written when the recording is complete. */
const doneName = 'recorded.json';
const doneSchema = z.object({ source: z.string(), verdict: verdictSchema });

/** A completed recording made in this folder: records name programs by the path at which they were built. */
async function storedRun(folder: string): Promise<TracedRun | undefined> {
  const text = readInputText(join(folder, doneName), { maxBytes: 1 << 16 });
  if (text instanceof Fault) return undefined;
  const done = doneSchema.safeParse(parsedJson(text)).data;
  const source = resolve(folder, 'source');
  const records = done?.source === source ? await recordsIn(join(folder, 'traces')) : undefined;
  if (done === undefined || records === undefined || records instanceof Fault) return undefined;
  return { source, verdict: done.verdict, records };
}

/**
 * Reuses a completed recording in the folder, unless `prepare` is given.
 *
 * @param folder used for nothing else
 * @param prepare edits the sources before they are built
 */
export async function tracedRun(
  version: TestedVersion,
  folder: string,
  signal: AbortSignal,
  prepare?: (source: string) => Promise<Fault | undefined>,
): Promise<TracedRun | Fault> {
  const stored = prepare === undefined ? await storedRun(folder) : undefined;
  if (stored !== undefined) return stored;
  const source = await version.layOut(folder, signal);
  if (source instanceof Fault) return source;
  const fault = await prepare?.(source);
  if (fault !== undefined) return fault;
  const traces = resolve(folder, 'traces');
  await makeFolder(traces);
  const path = await standInCompilers(resolve(folder, 'compilers'), packageFile('src/program/compile/cc.sh'));
  if (path instanceof Fault) return path;
  const built = await version.with({ env: { PATH: path, CULPRIT_TRACE: '1' } }).build(source, signal);
  if (built instanceof Fault) return built;
  if (!built.isBuilt) return buildFault();
  // Recording needs memory of its own, so the test runs without the memory limit.
  const recording = version.with({ memoryBytes: undefined, env: { CULPRIT_TRACE_DIR: traces } });
  const tested = await recording.test(source, signal);
  if (tested instanceof Fault) return tested;
  const records = await recordsIn(traces);
  if (records instanceof Fault) return records;
  const done = { source: resolve(source), verdict: tested.verdict };
  if (!tested.hitWallLimit) await writeWithin(folder, doneName, JSON.stringify(done), { isDisposable: true });
  return { ...done, records };
}

/**
 * A second recording of a process of the test, with the programs that `tracedRun` built in the folder; undefined if there
 * is none. Reuses a completed second recording.
 */
export async function recordedAgain(
  version: TestedVersion,
  folder: string,
  process: number,
  signal: AbortSignal,
): Promise<RunRecord | undefined> {
  const [traces, done] = [join(resolve(folder), 'traces-again'), 'recorded-again.json'];
  if (readInputText(join(folder, done)) instanceof Fault) {
    await rm(traces, { recursive: true, force: true });
    await makeFolder(traces);
    const recording = version.with({ env: { CULPRIT_TRACE_DIR: traces } });
    const tested = await recording.test(resolve(folder, 'source'), signal);
    if (tested instanceof Fault) return undefined;
    await writeWithin(folder, done, JSON.stringify(tested.verdict), { isDisposable: true });
  }
  const records = await recordsIn(traces);
  return records instanceof Fault ? undefined : records[process];
}

/** Recording needs clang: if there is none, that is the reason. */
async function buildFault(): Promise<Fault> {
  const clang = await findClang(thisMachine());
  return clang instanceof Fault
    ? clang
    : usageFault('the version does not build with the compiler that records runs');
}

/** Longer runs would not fit into memory or take minutes; the replay stops there. */
const maxInstances = 20_000_000;

export async function replayed(
  record: RunRecord,
  signal: AbortSignal,
  most = maxInstances,
): Promise<Replay | Fault> {
  const program = await programOf(record.program);
  return program instanceof Fault ? program : replay(record, [program], { most, signal });
}
