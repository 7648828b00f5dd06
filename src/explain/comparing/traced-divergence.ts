/** The divergence of the failing run from the run of the old version, with any changes already reverted. */

import { dirname, join } from 'node:path';
import { Fault, makeFolderWithin, usageFault, writeWithin } from '../../machine/index.js';
import { recordsIn } from '../../symbolic/index.js';
import { comparedRun } from '../causes/failing-run.js';
import type { CausesRequest } from '../causes/traced-causes.js';
import { recordedAgain, type TracedRun, tracedRun } from '../causes/traced-run.js';
import type { ChangedFile } from '../changes/change.js';
import { withReverted } from '../changes/reverted.js';
import { AlignedLines } from './aligned-lines.js';
import { type Divergence, divergenceOf } from './divergence.js';
import { FrameNames, PlacedRun } from './run-places.js';

export interface DivergenceRequest extends Omit<CausesRequest, 'changes'> {
  readonly files: readonly ChangedFile[];
  readonly reverted: ReadonlySet<number>;
}

/** Two larger runs would not fit into memory. */
const maxInstances = 6_000_000;

/** Uses the records of `tracedCauses`; a version with reverted changes is recorded again. */
export async function tracedDivergence(request: DivergenceRequest): Promise<Divergence | Fault> {
  const { folder, files, reverted, signal } = request;
  const failing = await newRuns(request);
  if (failing instanceof Fault) return failing;
  const passing = await recordsIn(join(folder, 'old', 'traces'));
  if (passing instanceof Fault) return passing;
  for (const [at, record] of failing.records.entries()) {
    const like = passing[at];
    if (like === undefined) break;
    const again = () => recordedAgain(request.old, join(folder, 'old'), at, signal);
    const compared = await comparedRun(record, like, signal, again);
    if (compared instanceof Fault) return compared;
    const { run, before, failure } = compared;
    if (failure === undefined || before === undefined) continue;
    if (Math.max(run.instances, before.instances) > maxInstances)
      return usageFault('the runs are too large to be compared');
    const names = new FrameNames();
    const old = new PlacedRun(
      before,
      join(folder, 'old', 'source'),
      AlignedLines.ofOld(files, reverted),
      names,
    );
    const next = new PlacedRun(run, failing.source, AlignedLines.ofNew(files, reverted), names, old);
    return divergenceOf(old, next, failure.at, files);
  }
  return usageFault('no process of the test differs from the old version');
}

async function newRuns({
  new: next,
  folder,
  files,
  reverted,
  signal,
}: DivergenceRequest): Promise<Pick<TracedRun, 'source' | 'records'> | Fault> {
  if (reverted.size === 0) {
    const records = await recordsIn(join(folder, 'new', 'traces'));
    return records instanceof Fault ? records : { source: join(folder, 'new', 'source'), records };
  }
  return tracedRun(next, join(folder, 'partly'), signal, async (source) => {
    for (const file of files) {
      const { path } = file.versions;
      if (!file.changes.some(({ id }) => reverted.has(id))) continue;
      const text = withReverted(file, (id) => reverted.has(id));
      // The file does not exist with these changes reverted; it stays, and is only read if another file includes it.
      if (text === undefined) continue;
      if (dirname(path) !== '.') await makeFolderWithin(source, dirname(path));
      await writeWithin(source, path, Buffer.from(text, 'latin1'), { isDisposable: true });
    }
    return undefined;
  });
}
