/** Chapter 5.5 of Böhme's thesis run again: how complex real regression errors are. */

import { mean, median, sampleRankCorrelation, standardDeviation } from 'simple-statistics';
import { CommitMeter, type FileCompiler, type MeasuredChange } from '../change/index.js';
import { environmentFault, Fault, usageFault } from '../machine/index.js';
import type { Commit, Repository } from '../repository/index.js';

/** One regression error: the commit that brought it and the one that fixed it. */
export interface RegressionError {
  readonly introducing: string;
  readonly fixing: string;
  readonly report: string;
}

/**
 * A list of CoREBench: a line has the introducing commit, the fixing one and the report. A + marks a commit that cannot
 * be built, and the line under it holds one to build instead, which is of no use here; a line that begins with # is left
 * out.
 */
export function readErrors(text: string): readonly RegressionError[] {
  return text.split('\n').flatMap((line): RegressionError[] => {
    const found = /^\+?([\da-f]{40})\s+\+?([\da-f]{40})(?:\s+(\S+))?/.exec(line.trim());
    if (found === null) return [];
    const [, introducing = '', fixing = '', report = ''] = found;
    return [{ introducing, fixing, report }];
  });
}

/** A project with its errors. */
export interface Subject {
  readonly name: string;
  readonly repository: Repository;
  readonly errors: readonly RegressionError[];
  /** Commits after this day are not among the most recent ones: the thesis ended then. */
  readonly until: string | undefined;
}

/** The last days of the thesis' extraction periods (Fig. 5.4). */
export const thesisEnd: Readonly<Record<string, string>> = {
  coreutils: '2013-10-06',
  findutils: '2013-10-26',
  grep: '2013-10-26',
  make: '2013-11-24',
};

/** What a commit measures. */
export interface CommitMeasure {
  readonly complexity: number;
  readonly lines: number;
  readonly ownMs: number;
  readonly time: number;
}

export interface MeasuredError {
  readonly subject: string;
  readonly error: RegressionError;
  /** A fault where there is nothing to measure. */
  readonly introducing: CommitMeasure | Fault;
  readonly fixing: CommitMeasure | Fault;
}

export interface ComplexityData {
  readonly errors: readonly MeasuredError[];
  /** The most recent commits that change code. */
  readonly recent: readonly (CommitMeasure & { readonly subject: string; readonly id: string })[];
}

export interface StudyPlan {
  readonly subjects: readonly Subject[];
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
        const introducing = await measured(subject.repository, meter, error.introducing, signal);
        const fixing = await measured(subject.repository, meter, error.fixing, signal);
        errors.push({ subject: subject.name, error, introducing, fixing });
      }
      study.onProgress?.(`${subject.name}: its ${study.recentPerSubject} most recent commits`);
      const latest = await recentCommits(subject, meter, study);
      if (latest instanceof Fault) return latest;
      recent.push(...latest);
    } finally {
      await meter.close();
    }
  }
  return { errors, recent };
}

async function measured(
  repository: Repository,
  meter: CommitMeter,
  revision: string,
  signal: AbortSignal,
): Promise<CommitMeasure | Fault> {
  const id = await repository.resolve(revision, signal);
  if (id instanceof Fault) return id;
  const commits = await repository.commits([id], signal);
  if (commits instanceof Fault) return commits;
  const [commit] = commits;
  if (commit === undefined) return environmentFault(`${id} cannot be read`);
  const found = await meter.measure(commit, signal);
  if (found instanceof Fault) return found;
  return found.complexity === 0 ? usageFault(whyEmpty(found)) : numbersOf(found, commit);
}

function whyEmpty({ files, functions }: MeasuredChange): string {
  if (files.length === 0) return 'it changes no C file';
  return functions.length === 0
    ? `it changes nothing that is executed: ${files.slice(0, 3).join(', ')}`
    : 'its changes lie in no block';
}

function numbersOf({ complexity, lines, ownMs }: MeasuredChange, { time }: Commit): CommitMeasure {
  return { complexity, lines, ownMs, time };
}

/** Only so many are looked through for commits that change code. */
const lookedThrough = 20;

async function recentCommits(
  { name, repository, until }: Subject,
  meter: CommitMeter,
  { recentPerSubject: wanted, signal }: StudyPlan,
): Promise<ComplexityData['recent'] | Fault> {
  const ids = await repository.recent(['*.c', '*.h'], lookedThrough * wanted, until, signal);
  if (ids instanceof Fault) return ids;
  const found: ComplexityData['recent'][number][] = [];
  for (const id of ids) {
    if (found.length === wanted) break;
    const measure = await measured(repository, meter, id, signal);
    if (!(measure instanceof Fault)) found.push({ ...measure, subject: name, id });
  }
  return found;
}

/** A figure beside the one that was published. */
export interface ComparedFigure {
  readonly says: string;
  readonly own: string;
  readonly published: string;
}

/** The figures of chapter 5.5. */
export function complexityFigures({ errors, recent }: ComplexityData): readonly ComparedFigure[] {
  const fixes = errors.flatMap(({ fixing }) => (fixing instanceof Fault ? [] : [fixing.complexity]));
  const pairs = bothMeasured(errors);
  const spans = pairs.map(({ days }) => days);
  const share = (count: number, of: number): string =>
    of === 0 ? '-' : `${Math.round((100 * count) / of)} %`;
  const rho = (a: readonly number[], b: readonly number[]): string =>
    a.length < 3 ? '-' : sampleRankCorrelation([...a], [...b]).toFixed(2);
  const rankGaps = rankPairs(recent).map(({ byComplexity, byLines }) => byComplexity - byLines);
  return [
    { says: 'errors measured', own: `${fixes.length} of ${errors.length}`, published: '70 of 70' },
    {
      says: 'simple errors (fixed with complexity 1)',
      own: share(fixes.filter((complexity) => complexity <= 1).length, fixes.length),
      published: '8 %',
    },
    {
      says: 'errors of complexity above 10',
      own: share(fixes.filter((complexity) => complexity > 10).length, fixes.length),
      published: '30 %',
    },
    {
      says: 'rank correlation of complexity and life span',
      own: rho(
        pairs.map(({ fixing }) => fixing),
        spans,
      ),
      published: '0.07',
    },
    {
      says: 'rank correlation of fixing and introducing commits',
      own: rho(
        pairs.map(({ fixing }) => fixing),
        pairs.map(({ introducing }) => introducing),
      ),
      published: '0.17',
    },
    {
      says: 'mean complexity of introducing and of fixing commits',
      own:
        pairs.length === 0
          ? '-'
          : `${mean(pairs.map(({ introducing }) => introducing)).toFixed(1)} and ${mean(pairs.map(({ fixing }) => fixing)).toFixed(1)}`,
      published: 'introducing ones higher',
    },
    {
      says: 'errors fixed within a week',
      own: share(spans.filter((days) => days <= 7).length, spans.length),
      published: '12 %',
    },
    {
      says: 'half of the errors live longer than',
      own: spans.length === 0 ? '-' : `${(median(spans) / 30.4).toFixed(1)} months`,
      published: '9 months',
    },
    {
      says: `rank correlation of CyCC and CLoC over ${recent.length} recent commits`,
      own: rho(
        recent.map(({ complexity }) => complexity),
        recent.map(({ lines }) => lines),
      ),
      published: '0.86',
    },
    {
      says: 'limits of agreement of their ranks',
      own:
        rankGaps.length < 2
          ? '-'
          : `± ${(1.96 * standardDeviation(rankGaps)).toFixed(1)} of ${rankGaps.length}`,
      published: '± 59.4 of 200',
    },
  ];
}

/** Errors of which both commits were measured. */
export function bothMeasured(
  errors: readonly MeasuredError[],
): readonly { readonly introducing: number; readonly fixing: number; readonly days: number }[] {
  return errors.flatMap(({ introducing, fixing }) =>
    introducing instanceof Fault || fixing instanceof Fault
      ? []
      : [
          {
            introducing: introducing.complexity,
            fixing: fixing.complexity,
            days: Math.max(0, (fixing.time - introducing.time) / 86_400),
          },
        ],
  );
}

/** The data as it is printed: where there is nothing to measure, a sentence says why. */
export function complexityDataJson({ errors, recent }: ComplexityData): unknown {
  const printed = (measure: CommitMeasure | Fault): unknown =>
    measure instanceof Fault ? measure.message : measure;
  return {
    errors: errors.map(({ subject, error, introducing, fixing }) => ({
      subject,
      error,
      introducing: printed(introducing),
      fixing: printed(fixing),
    })),
    recent,
  };
}

/** A commit's rank by both measures. */
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

/** From 1; those that are equal share the middle of their places. */
export function ranks(values: readonly number[]): readonly number[] {
  const order = [...values.entries()].toSorted(([, a], [, b]) => a - b);
  const found = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]?.[1] === order[from]?.[1]) to++;
    for (const [at] of order.slice(from, to + 1)) found[at] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return found;
}
