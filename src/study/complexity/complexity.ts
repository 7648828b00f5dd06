/** Repeats chapter 5.5 of Böhme's thesis: how complex real regression errors are. */

import { CommitMeter, type FileCompiler } from '../../change/index.js';
import { environmentFault, Fault, usageFault } from '../../machine/index.js';
import type { Commit, Repository } from '../../repository/index.js';
import { ranks } from '../../statistics/index.js';
import { emptyChangeReason } from '../why-empty.js';
import { type SeededError, seededErrors } from './seeded-errors.js';

/** A regression error with the commit that introduced it and the commit that fixed it. */
export interface RegressionError {
  readonly introducing: string;
  readonly fixing: string;
  readonly report: string;
  /**
   * True if the failure needs several changes to be executed (Definition 10); undefined if the list does not state
   * it.
   */
  readonly isInteraction?: boolean | undefined;
}

/**
 * Parses a list of CoREBench. A line has the introducing commit, the fixing commit and the report, and may end in
 * `cie` or `non-cie` (change interaction error or not). `+` marks a commit that does not build; the next line then
 * names a substitute to build, which culprit ignores. Lines that begin with # are comments.
 */
export function readErrors(text: string): readonly RegressionError[] {
  return text.split('\n').flatMap((line): RegressionError[] => {
    const found = /^\+?([\da-f]{40})\s+\+?([\da-f]{40})(?:\s+(\S+)(?:\s+(cie|non-cie)$)?)?/.exec(line.trim());
    if (found === null) return [];
    const [, introducing = '', fixing = '', report = '', label] = found;
    return [
      { introducing, fixing, report, ...(label === undefined ? {} : { isInteraction: label === 'cie' }) },
    ];
  });
}

export interface Subject {
  readonly name: string;
  readonly repository: Repository;
  readonly errors: readonly RegressionError[];
  /** Commits after this day do not count as recent: the thesis ended then. */
  readonly until: string | undefined;
}

/** The last days of the extraction periods of the thesis (Fig. 5.4). */
export const thesisEnd: Readonly<Record<string, string>> = {
  coreutils: '2013-10-06',
  findutils: '2013-10-26',
  grep: '2013-10-26',
  make: '2013-11-24',
};

export interface CommitMeasure {
  readonly complexity: number;
  readonly lines: number;
  readonly ownMs: number;
  readonly time: number;
}

export interface MeasuredError {
  readonly subject: string;
  readonly error: RegressionError;
  /** A fault if there is nothing to measure. */
  readonly introducing: CommitMeasure | Fault;
  readonly fixing: CommitMeasure | Fault;
  /** Life span; undefined if a commit is missing. */
  readonly days: number | undefined;
}

export interface ComplexityData {
  readonly errors: readonly MeasuredError[];
  /** Empty unless the study has a folder of seeded errors. */
  readonly seeded: readonly SeededError[];
  readonly recent: readonly (CommitMeasure & { readonly subject: string; readonly id: string })[];
}

export interface StudyPlan {
  readonly subjects: readonly Subject[];
  /** A folder of seeded errors in the layout of the Siemens suite. */
  readonly seeded?: string | undefined;
  readonly recentPerSubject: number;
  readonly isAsPublished: boolean;
  readonly plan: FileCompiler | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export async function studyComplexity(study: StudyPlan): Promise<ComplexityData | Fault> {
  const errors: MeasuredError[] = [];
  const recent: ComplexityData['recent'][number][] = [];
  for (const subject of study.subjects) {
    const { plan, isAsPublished, signal } = study;
    const meter = new CommitMeter(subject.repository, { compiler: plan, isAsPublished });
    try {
      for (const [at, error] of subject.errors.entries()) {
        study.onProgress?.(`${subject.name}: ${at + 1} of ${subject.errors.length} errors`);
        errors.push(await measuredError(subject, meter, error, signal));
      }
      study.onProgress?.(`${subject.name}: ${study.recentPerSubject} most recent commits`);
      const latest = await recentCommits(subject, meter, study);
      if (latest instanceof Fault) return latest;
      recent.push(...latest);
    } finally {
      await meter.close();
    }
  }
  const seeded = study.seeded === undefined ? [] : await seededErrors(study.seeded, study);
  return seeded instanceof Fault ? seeded : { errors, seeded, recent };
}

async function measuredError(
  { name, repository }: Subject,
  meter: CommitMeter,
  error: RegressionError,
  signal: AbortSignal,
): Promise<MeasuredError> {
  const from = await commitOf(repository, error.introducing, signal);
  const to = await commitOf(repository, error.fixing, signal);
  const days =
    from instanceof Fault || to instanceof Fault ? undefined : Math.max(0, (to.time - from.time) / 86_400);
  return {
    subject: name,
    error,
    introducing: await measured(meter, from, signal),
    fixing: await measured(meter, to, signal),
    days,
  };
}

async function commitOf(
  repository: Repository,
  revision: string,
  signal: AbortSignal,
): Promise<Commit | Fault> {
  const id = await repository.resolve(revision, signal);
  if (id instanceof Fault) return id;
  const commits = await repository.commits([id], signal);
  if (commits instanceof Fault) return commits;
  return commits[0] ?? environmentFault(`${id} cannot be read`);
}

async function measured(
  meter: CommitMeter,
  commit: Commit | Fault,
  signal: AbortSignal,
): Promise<CommitMeasure | Fault> {
  if (commit instanceof Fault) return commit;
  const found = await meter.measure(commit, signal);
  if (found instanceof Fault) return found;
  const { complexity, lines, ownMs } = found;
  return complexity === 0
    ? usageFault(emptyChangeReason(found))
    : { complexity, lines, ownMs, time: commit.time };
}

/** Commits to inspect for every recent commit wanted, since not all of them change code. */
const inspectedPerWanted = 20;

async function recentCommits(
  { name, repository, until }: Subject,
  meter: CommitMeter,
  { recentPerSubject: wanted, signal }: StudyPlan,
): Promise<ComplexityData['recent'] | Fault> {
  const ids = await repository.recent(['*.c', '*.h'], inspectedPerWanted * wanted, until, signal);
  if (ids instanceof Fault) return ids;
  const found: ComplexityData['recent'][number][] = [];
  for (const id of ids) {
    if (found.length === wanted) break;
    const measure = await measured(meter, await commitOf(repository, id, signal), signal);
    if (!(measure instanceof Fault)) found.push({ ...measure, subject: name, id });
  }
  return found;
}

/** Errors whose introducing and fixing commits were both measured. */
export function measuredPairs(
  errors: readonly MeasuredError[],
): readonly { readonly introducing: number; readonly fixing: number }[] {
  return errors.flatMap(({ introducing, fixing }) =>
    introducing instanceof Fault || fixing instanceof Fault
      ? []
      : [{ introducing: introducing.complexity, fixing: fixing.complexity }],
  );
}

export interface RankPair {
  readonly byComplexity: number;
  readonly byLines: number;
}

export function rankPairs(recent: ComplexityData['recent']): readonly RankPair[] {
  const byLines = ranks(recent.map(({ lines }) => lines));
  return ranks(recent.map(({ complexity }) => complexity)).map((rank, at) => ({
    byComplexity: rank,
    byLines: byLines[at] ?? Number.NaN,
  }));
}
