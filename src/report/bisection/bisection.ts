/** The result of a bisection, commit by commit. */

import type { Bisection, BisectSettings, Culprit } from '../../history/index.js';
import { Fault, type Ink, noInk, visible, visibleLine } from '../../machine/index.js';
import { type Column, dayText, levelText, table } from '../../page/index.js';
import { type Commit, type Repository, shortId } from '../../repository/index.js';
import { type TemporaryChange, temporaryChanges } from './temporary-changes.js';

export interface BisectionReport {
  readonly bisection: Bisection;
  readonly caseNames: readonly string[];
  readonly commits: ReadonlyMap<string, Commit>;
  readonly by: 'time' | 'effort' | 'printed';
  /** The limit of each case's runs, in the compared unit. */
  readonly limits: readonly (number | undefined)[];
}

/** A bisection with its culprit commits read from the repository. */
export async function bisectionReport(
  { bisection, settings }: { readonly bisection: Bisection; readonly settings: BisectSettings },
  repository: Repository,
  signal: AbortSignal,
): Promise<BisectionReport | Fault> {
  const ids = new Set(bisection.culprits.map((culprit) => culprit.commit));
  const commits = await repository.commits([...ids], signal);
  if (commits instanceof Fault) return commits;
  return {
    bisection,
    caseNames: settings.cases.map(({ name }) => name),
    commits: new Map(commits.map((commit) => [commit.id, commit])),
    by: settings.isPrinted ? 'printed' : settings.by,
    limits: caseLimits(settings),
  };
}

/** The limit of each case's runs, in the compared unit; undefined if unknown. */
export function caseLimits({ cases, by, timeoutMs }: BisectSettings): readonly (number | undefined)[] {
  return cases.map(({ mostEffort }) => (by === 'time' ? timeoutMs : mostEffort));
}

const right = { align: 'right' as const };

/** Culprits first, the commit with the most cases on top. */
export function bisectionText(report: BisectionReport, ink: Ink = noInk, screen?: number): string {
  const { bisection, caseNames, commits } = report;
  const { culprits, looked, built, failed, without } = bisection;
  const passing = temporaryChanges(culprits);
  const lines: string[] = [];
  for (const [commit, own] of culpritsByCommit(culprits)) {
    const info = commits.get(commit);
    const [first] = own;
    lines.push(
      `${ink('bad', shortId(commit))}  ${ink('title', visibleLine(info?.subject ?? ''))}`,
      `  is ${roleOf(own)} of ${own.length} of ${caseNames.length} cases` +
        `${info === undefined ? '' : `; ${info.author}, ${dayText(info.time)}`}` +
        `${first.merge === undefined ? '' : `; merged by ${shortId(first.merge)}`}`,
    );
    if (first.others.length > 0)
      lines.push(
        `  or one of ${first.others.map(shortId).join(', ')}, which could not be tested (no build, or no clear result)`,
      );
    const columns: Column[] = [
      { title: '  case', wraps: true },
      { title: 'before', ...right },
      { title: 'after', ...right },
      { title: '', wraps: true, style: (became) => (became.startsWith('slower') ? 'bad' : 'good') },
    ];
    const rows = own.map((culprit) => [
      `  ${caseNames[culprit.case] ?? culprit.case}`,
      levelText(culprit.beforeLevel, report.by, report.limits[culprit.case]),
      levelText(culprit.afterLevel, report.by, report.limits[culprit.case]),
      directionText(culprit, passing),
    ]);
    lines.push(
      table(columns, rows, ink, screen),
      ...own.flatMap((culprit) => byTimeText(culprit, report)),
      '',
    );
  }
  if (culprits.length === 0) lines.push('No commit made a difference.', '');
  for (const { case: at, why } of without) lines.push(`${caseNames[at] ?? at}: ${why}.`);
  if (without.length > 0) lines.push('');
  lines.push(
    `Tested ${looked} commits, built ${built} of them` +
      `${failed.length === 0 ? '' : `; ${failed.length} did not build`}.`,
  );
  for (const { commit, why } of failed.slice(0, 3)) lines.push(`  ${shortId(commit)}: ${why}`);
  return visible(lines.join('\n'));
}

/** Such as `slower, at this commit only`. */
export function directionText(culprit: Culprit, passing: ReadonlyMap<Culprit, TemporaryChange>): string {
  const how = passing.get(culprit);
  return (
    `${culprit.direction}${how === undefined ? '' : `, ${how}`}` +
    `${culprit.isVerified ? '' : ', not confirmed when measured again'}`
  );
}

function roleOf(own: readonly Culprit[]): string {
  const slower = own.filter(({ direction }) => direction === 'slower').length;
  if (slower === own.length) return 'the first slow commit';
  return slower === 0 ? 'the first quick commit' : 'the first slow or quick commit';
}

function byTimeText({ byTime, case: id }: Culprit, { caseNames }: BisectionReport): readonly string[] {
  if (byTime === undefined) return [];
  const name = caseNames[id] ?? String(id);
  if (byTime.kind === 'silent') return [`  ${name} by time: not measured, ${byTime.why}`];
  const [before, after] = [byTime.beforeMs, byTime.afterMs].map((ms) =>
    levelText(ms, 'time', byTime.limitMs),
  );
  return [
    `  ${name} by time on release builds: ${before} before, ${after} after${byTime.holds ? '' : '; not confirmed'}`,
  ];
}

/** For `--json`: cases by name. */
export function bisectionJson({ bisection, caseNames, commits, by }: BisectionReport) {
  const nameOf = (at: number): string => caseNames[at] ?? String(at);
  return {
    isFinished: true as const,
    by,
    ...bisection,
    ends: bisection.ends.map((levels, at) => ({ case: nameOf(at), ...levels })),
    without: bisection.without.map(({ case: at, why }) => ({ case: nameOf(at), why })),
    culprits: bisection.culprits.map((culprit) => ({
      ...culprit,
      case: nameOf(culprit.case),
      subject: commits.get(culprit.commit)?.subject,
    })),
  };
}

type CommitCulprits = [Culprit, ...Culprit[]];

/** Groups culprits by commit. The commit that made the most cases permanently slower is first. */
export function culpritsByCommit(
  culprits: readonly Culprit[],
): readonly (readonly [commit: string, Readonly<CommitCulprits>])[] {
  const groups = new Map<string, CommitCulprits>();
  for (const culprit of culprits) {
    const group = groups.get(culprit.commit);
    if (group === undefined) groups.set(culprit.commit, [culprit]);
    else group.push(culprit);
  }
  const passing = temporaryChanges(culprits);
  const blamed = ([, own]: readonly [string, CommitCulprits]): number =>
    own.filter((culprit) => culprit.direction === 'slower' && !passing.has(culprit)).length;
  return [...groups].toSorted((a, b) => blamed(b) - blamed(a) || b[1].length - a[1].length);
}
