/** Chapter 5.5 of Böhme's thesis run again: how complex real regression errors are. */

import { mean, median, sampleRankCorrelation, standardDeviation } from 'simple-statistics';
import { CommitMeter, type FileCompiler, type MeasuredChange } from '../change/index.js';
import { Fault } from '../machine/index.js';
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
export interface Measured {
  readonly complexity: number;
  readonly lines: number;
  readonly ownMs: number;
  readonly time: number;
}

export interface MeasuredError {
  readonly subject: string;
  readonly error: RegressionError;
  readonly introducing: Measured | string;
  readonly fixing: Measured | string;
}

export interface ComplexityData {
  readonly errors: readonly MeasuredError[];
  /** The most recent commits that change code. */
  readonly recent: readonly (Measured & { readonly subject: string; readonly id: string })[];
}

export interface StudyPlan {
  readonly subjects: readonly Subject[];
  readonly recentPerSubject: number;
  readonly isAsPublished: boolean;
  readonly plan: FileCompiler | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
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
        if (introducing instanceof Fault) return introducing;
        const fixing = await measured(subject.repository, meter, error.fixing, signal);
        if (fixing instanceof Fault) return fixing;
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

/** A sentence where there is nothing to measure. */
async function measured(
  repository: Repository,
  meter: CommitMeter,
  revision: string,
  signal: AbortSignal,
): Promise<Measured | string | Fault> {
  const id = await repository.resolve(revision, signal);
  if (id instanceof Fault) return id.message;
  const commits = await repository.commits([id], signal);
  if (commits instanceof Fault) return commits;
  const [commit] = commits;
  if (commit === undefined) return `${id} cannot be read`;
  const found = await meter.measure(commit, signal);
  if (found instanceof Fault) return found;
  return found.complexity === 0 ? whyEmpty(found) : numbersOf(found, commit);
}

function whyEmpty({ files, functions }: MeasuredChange): string {
  if (files.length === 0) return 'it changes no C file';
  return functions.length === 0
    ? `it changes nothing that is executed: ${files.slice(0, 3).join(', ')}`
    : 'its changes lie in no block';
}

function numbersOf({ complexity, lines, ownMs }: MeasuredChange, { time }: Commit): Measured {
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
    const one = await measured(repository, meter, id, signal);
    if (one instanceof Fault) return one;
    if (typeof one !== 'string') found.push({ ...one, subject: name, id });
  }
  return found;
}

/** A figure beside the one that was published. */
export interface Finding {
  readonly says: string;
  readonly own: string;
  readonly published: string;
}

/** The figures of chapter 5.5. */
export function complexityFindings({ errors, recent }: ComplexityData): readonly Finding[] {
  const fixes = errors.flatMap(({ fixing }) => (typeof fixing === 'string' ? [] : [fixing.complexity]));
  const pairs = bothMeasured(errors);
  const spans = pairs.map(({ days }) => days);
  const share = (count: number, of: number): string =>
    of === 0 ? '-' : `${Math.round((100 * count) / of)} %`;
  const rho = (a: readonly number[], b: readonly number[]): string =>
    a.length < 3 ? '-' : sampleRankCorrelation([...a], [...b]).toFixed(2);
  const rankGaps = ranksApart(recent);
  return [
    { says: 'errors measured', own: `${fixes.length} of ${errors.length}`, published: '70 of 70' },
    {
      says: 'simple errors (fixed with complexity 1)',
      own: share(fixes.filter((one) => one <= 1).length, fixes.length),
      published: '8 %',
    },
    {
      says: 'errors of complexity above 10',
      own: share(fixes.filter((one) => one > 10).length, fixes.length),
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
          : `${mean(pairs.map((one) => one.introducing)).toFixed(1)} and ${mean(pairs.map((one) => one.fixing)).toFixed(1)}`,
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
        recent.map((one) => one.complexity),
        recent.map((one) => one.lines),
      ),
      published: '0.86',
    },
    {
      says: 'limits of agreement of their ranks',
      own:
        rankGaps.length < 2
          ? '-'
          : `± ${(1.96 * standardDeviation([...rankGaps])).toFixed(1)} of ${rankGaps.length}`,
      published: '± 59.4 of 200',
    },
  ];
}

/** Errors of which both commits were measured. */
export function bothMeasured(
  errors: readonly MeasuredError[],
): readonly { readonly introducing: number; readonly fixing: number; readonly days: number }[] {
  return errors.flatMap(({ introducing, fixing }) =>
    typeof introducing === 'string' || typeof fixing === 'string'
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

/** How far apart the ranks by both measures are, for each commit. */
export function ranksApart(recent: ComplexityData['recent']): readonly number[] {
  const byComplexity = ranks(recent.map((one) => one.complexity));
  const byLines = ranks(recent.map((one) => one.lines));
  return byComplexity.map((rank, at) => rank - (byLines[at] as number));
}

/** From 1; those that are equal share the middle of their places. */
export function ranks(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].toSorted((a, b) => (values[a] as number) - (values[b] as number));
  const found = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] as number] === values[order[from] as number]) to++;
    for (let at = from; at <= to; at++) found[order[at] as number] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return found;
}
