/** The changes at which the failing run parts from that of the old version, also with some changes taken back already. */

import { dirname, join } from 'node:path';
import { Fault, makeFolderWithin, usageFault, writeWithin } from '../../machine/index.js';
import { type Replay, type RunRecord, recordsIn } from '../../symbolic/index.js';
import { failurePoint } from '../causes/failure-point.js';
import type { CausesRequest } from '../causes/traced-causes.js';
import { replayed, type TracedRun, tracedRun } from '../causes/traced-run.js';
import type { ChangedFile } from '../changes/change.js';
import { withReverted } from '../changes/reverted.js';
import { AlignedLines } from './aligned-lines.js';
import { type Parting, partingOf } from './parting.js';
import { FrameNames, PlacedRun } from './run-places.js';

export interface PartingRequest extends Omit<CausesRequest, 'changes'> {
  readonly files: readonly ChangedFile[];
  readonly reverted: ReadonlySet<number>;
}

/** Larger runs would not fit into memory side by side. */
const mostInstances = 6_000_000;

/** Of runs that were recorded for `tracedCauses` before; what has changes taken back is recorded anew. */
export async function tracedParting(request: PartingRequest): Promise<Parting | Fault> {
  const { folder, files, reverted, signal } = request;
  const failing = await failingRun(request);
  if (failing instanceof Fault) return failing;
  const passing = await recordsIn(join(folder, 'old', 'traces'));
  if (passing instanceof Fault) return passing;
  for (const [at, record] of failing.records.entries()) {
    const like = passing[at];
    if (like === undefined) break;
    const [run, before] = [await smallReplay(record, signal), await smallReplay(like, signal)];
    if (run instanceof Fault) return run;
    if (before instanceof Fault) return before;
    const failure = failurePoint(before, run);
    if (failure === undefined) continue;
    const names = new FrameNames();
    const old = new PlacedRun(
      before,
      join(folder, 'old', 'source'),
      AlignedLines.ofOld(files, reverted),
      names,
    );
    const next = new PlacedRun(run, failing.source, AlignedLines.ofNew(files, reverted), names);
    return partingOf(old, next, failure.at, files);
  }
  return usageFault('no process of the test does anything else than in the old version');
}

async function smallReplay(record: RunRecord, signal: AbortSignal): Promise<Replay | Fault> {
  const run = await replayed(record, signal);
  if (run instanceof Fault || run.instances <= mostInstances) return run;
  return usageFault('the runs are too large to be compared');
}

async function failingRun({
  new: next,
  commands,
  folder,
  files,
  reverted,
  signal,
}: PartingRequest): Promise<Pick<TracedRun, 'source' | 'records'> | Fault> {
  if (reverted.size === 0) {
    const records = await recordsIn(join(folder, 'new', 'traces'));
    return records instanceof Fault ? records : { source: join(folder, 'new', 'source'), records };
  }
  return tracedRun(next, join(folder, 'partly'), commands, signal, async (source) => {
    for (const file of files) {
      const { path } = file.versions;
      if (!file.changes.some(({ id }) => reverted.has(id))) continue;
      const text = withReverted(file, (id) => reverted.has(id));
      // Such a file is only read where something includes it.
      if (text === undefined) continue;
      if (dirname(path) !== '.') await makeFolderWithin(source, dirname(path));
      await writeWithin(source, path, Buffer.from(text, 'latin1'), { isDisposable: true });
    }
    return undefined;
  });
}
