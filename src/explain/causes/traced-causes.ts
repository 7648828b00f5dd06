/** Finds the changes that the failure depends on in a recorded run, closest first. */

import { join } from 'node:path';
import { Fault, usageFault, YieldTimer } from '../../machine/index.js';
import type { Instance, Reasoner } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { TestedVersion } from '../trials/tested-version.js';
import { CauseWalk } from './cause-levels.js';
import { type CauseLine, CauseLines } from './cause-lines.js';
import { CauseSearch } from './cause-search.js';
import { ChangesOfInstances } from './changes-of-causes.js';
import { comparedRun } from './failing-run.js';
import type { FailurePoint } from './failure-point.js';
import { failurePredicate } from './failure-predicate.js';
import { missedDecision, type SourcedRun } from './missed-decision.js';
import { decisionAt } from './predicate.js';
import { recordedAgain, tracedRun } from './traced-run.js';

export interface TracedCauses {
  readonly failure: Pick<FailurePoint, 'does' | 'instead'>;
  readonly place: string | undefined;
  /** Output that differs between two runs of the old version was ignored. */
  readonly isNondeterministic: boolean;
  /** The folder in which the failing program was compiled. */
  readonly source: string;
  /** By the number of decisions between change and failure; levels without changes are left out. */
  readonly levels: readonly (readonly Change[])[];
  /** For each change, the lines from it to the failure. */
  readonly chains: ReadonlyMap<Change, readonly CauseLine[]>;
  /** Searches causes with a solver. @param reasoner must stay open while the search is used */
  search(reasoner: Reasoner): CauseSearch | undefined;
  /** Does an instance lie on the path from one of these changes to the failure? */
  isOnPathOf(changes: readonly Change[]): (instance: Instance) => boolean;
}

export interface CausesRequest {
  readonly old: TestedVersion;
  readonly new: TestedVersion;
  readonly changes: readonly Change[];
  /** Used for nothing else. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with the number of recorded versions. */
  readonly onRecorded?: ((done: number) => void) | undefined;
}

export async function tracedCauses({
  old,
  new: next,
  changes,
  folder,
  signal,
  onRecorded,
}: CausesRequest): Promise<TracedCauses | Fault> {
  const failing = await tracedRun(next, join(folder, 'new'), signal);
  if (failing instanceof Fault) return failing;
  if (failing.verdict !== 'fails') return usageFault('the test does not fail on programs that record runs');
  onRecorded?.(1);
  const passing = await tracedRun(old, join(folder, 'old'), signal);
  if (passing instanceof Fault) return passing;
  if (passing.verdict !== 'passes') return usageFault('the test does not pass on programs that record runs');
  onRecorded?.(2);
  if (failing.records.length === 0)
    return usageFault(
      'nothing was recorded: the build called no compiler on PATH; if objects of an earlier build are still there, clean both versions first',
    );
  // The first process that differs from its counterpart in the old version shows the failure.
  let isCut = false;
  for (const [at, record] of failing.records.entries()) {
    const again = () => recordedAgain(old, join(folder, 'old'), at, signal);
    const compared = await comparedRun(record, passing.records[at], signal, again);
    if (compared instanceof Fault) return compared;
    const { run, before, failure, isNondeterministic = false } = compared;
    isCut ||= run.end.kind === 'limit' || before?.end.kind === 'limit';
    if (failure === undefined) continue;
    const next = { run, source: failing.source };
    const isOther = failure.expected?.[0] !== failure.words[0];
    const missed =
      before === undefined || failure.expectedAt === undefined || !isOther
        ? undefined
        : missedDecision({ run: before, source: passing.source }, failure.expectedAt, next, failure.at);
    return {
      ...(await causesIn(next, { ...failure, missed }, changes, signal)),
      isNondeterministic,
    };
  }
  const soFar = isCut ? ' within the recorded part of the runs' : '';
  return usageFault(`no process of the test differs from the old version${soFar}`);
}

interface MissedPoint extends FailurePoint {
  /** The decision by which an expected output does not happen. */
  readonly missed: Instance | undefined;
}

async function causesIn(
  { run, source }: SourcedRun,
  failure: MissedPoint,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<Omit<TracedCauses, 'isNondeterministic'>> {
  const of = new ChangesOfInstances(changes, source);
  const lines = new CauseLines(run, source);
  const { missed } = failure;
  const walk = new CauseWalk(run, ...(missed === undefined ? [] : [missed]), failure.at);
  const paths = new Map<Change, readonly Instance[]>();
  const chains = new Map<Change, readonly CauseLine[]>();
  const levels: (readonly Change[])[] = [];
  const yieldTimer = new YieldTimer(signal);
  for (const instances of walk.levels()) {
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
    const added: Change[] = [];
    for (const [change, instance] of of.of(run, instances)) {
      if (chains.has(change)) continue;
      const path = walk.chainFrom(instance);
      paths.set(change, path);
      chains.set(change, lines.of(path));
      added.push(change);
    }
    if (added.length > 0) levels.push(added);
  }
  const line = run.lineOf(failure.at, source);
  return {
    failure: { does: failure.does, instead: failure.instead },
    place: line && `${line.file}:${line.line}`,
    source,
    levels,
    chains,
    search: (reasoner) => {
      const decided = missed === undefined ? undefined : decisionAt(run, missed);
      const predicate = decided ?? failurePredicate(run, failure);
      const at = decided?.at ?? failure.at;
      return (
        predicate && new CauseSearch({ run, reasoner, failure: predicate, at, changes: of, lines, signal })
      );
    },
    isOnPathOf: (changes) => {
      const on = new Set(changes.flatMap((change) => paths.get(change) ?? []));
      return (instance) => on.has(instance);
    },
  };
}
