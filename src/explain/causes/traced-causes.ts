/** The changes that have a part in the failure, by what the program did: those closest to it first. */

import { join } from 'node:path';
import { Fault, usageFault, YieldTimer } from '../../machine/index.js';
import type { Instance, Reasoner } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { TestedVersion } from '../trials/tested-version.js';
import { CauseWalk } from './cause-levels.js';
import { type CauseLine, CauseLines } from './cause-lines.js';
import { CauseSearch } from './cause-search.js';
import { ChangesOfCauses } from './changes-of-causes.js';
import { failingRun } from './failing-run.js';
import type { FailurePoint } from './failure-point.js';
import { failurePredicate } from './failure-predicate.js';
import { missedDecision, type SourcedRun } from './missed-decision.js';
import { decisionAt } from './predicate.js';
import { recordedAgain, tracedRun } from './traced-run.js';

export interface TracedCauses {
  /** What the program does that it should not, and where. */
  readonly failure: Pick<FailurePoint, 'does' | 'instead'>;
  readonly place: string | undefined;
  /** The program does something else every time by itself, which was left out. */
  readonly isUnsteady: boolean;
  /** The sources that the failing run was compiled from. */
  readonly source: string;
  /** By how many decisions lie between them and the failure; those without a change are left out. */
  readonly levels: readonly (readonly Change[])[];
  /** For each of them, the lines by which it comes to the failure, that of the failure last. */
  readonly chains: ReadonlyMap<Change, readonly CauseLine[]>;
  /** The same by what a solver says. @param reasoner open as long as it is used */
  search(reasoner: Reasoner): CauseSearch | undefined;
  /** Does an instance lie on the way from one of these changes to the failure? */
  isOnTheWay(changes: readonly Change[]): (instance: Instance) => boolean;
}

export interface CausesRequest {
  readonly old: TestedVersion;
  readonly new: TestedVersion;
  readonly changes: readonly Change[];
  /** Of culprit's own, for this alone. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Told how many of the two were recorded. */
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
      'nothing was recorded: no source was compiled by a compiler that PATH names, as where objects of an earlier build are still there (clean both versions first)',
    );
  // Which process shows the failure: the first that does something else than its like in the old version.
  let isCut = false;
  for (const [at, record] of failing.records.entries()) {
    const again = () => recordedAgain(old, join(folder, 'old'), at, signal);
    const compared = await failingRun(record, passing.records[at], signal, again);
    if (compared instanceof Fault) return compared;
    const { run, before, failure, isUnsteady = false } = compared;
    isCut ||= run.end.kind === 'limit' || before?.end.kind === 'limit';
    if (failure === undefined) continue;
    const next = { run, source: failing.source };
    const isOther = failure.expected?.[0] !== failure.words[0];
    const missed =
      before === undefined || failure.expectedAt === undefined || !isOther
        ? undefined
        : missedDecision({ run: before, source: passing.source }, failure.expectedAt, next, failure.at);
    return { ...(await causesIn(next, { ...failure, missed }, changes, signal)), isUnsteady };
  }
  const soFar = isCut ? ', as far as runs are followed' : '';
  return usageFault(`no process of the test does anything else than in the old version${soFar}`);
}

interface MissedPoint extends FailurePoint {
  /** The decision by which something else does not happen. */
  readonly missed: Instance | undefined;
}

async function causesIn(
  { run, source }: SourcedRun,
  failure: MissedPoint,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<Omit<TracedCauses, 'isUnsteady'>> {
  const of = new ChangesOfCauses(changes, source);
  const lines = new CauseLines(run, source);
  const { missed } = failure;
  const walk = new CauseWalk(run, ...(missed === undefined ? [] : [missed]), failure.at);
  const ways = new Map<Change, readonly Instance[]>();
  const chains = new Map<Change, readonly CauseLine[]>();
  const levels: (readonly Change[])[] = [];
  const yieldTimer = new YieldTimer(signal);
  for (const instances of walk.levels()) {
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
    const added: Change[] = [];
    for (const [change, instance] of of.of(run, instances)) {
      if (chains.has(change)) continue;
      const way = walk.chainFrom(instance);
      ways.set(change, way);
      chains.set(change, lines.of(way));
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
    isOnTheWay: (some) => {
      const on = new Set(some.flatMap((change) => ways.get(change) ?? []));
      return (instance) => on.has(instance);
    },
  };
}
