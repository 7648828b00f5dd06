/** What a bisection found, commit by commit. */

import type { Bisection, Culprit } from '../history/index.js';
import { type Commit, short } from '../repository/index.js';
import { levelText } from './quantities.js';
import { type Column, table } from './table.js';
import { visible } from './visible.js';

export interface BisectionReport {
  readonly bisection: Bisection;
  readonly caseNames: readonly string[];
  readonly commits: ReadonlyMap<string, Commit>;
  readonly by: 'time' | 'effort' | 'printed';
  /** A run was ended after this long. */
  readonly limitMs: number;
}

const right = { align: 'right' as const };

/** The commit with the most cases first. */
export function bisectionText(report: BisectionReport): string {
  const { bisection, caseNames, commits } = report;
  const { culprits, looked, built, failed, without } = bisection;
  const lines: string[] = [];
  for (const [commit, own] of byCommit(culprits)) {
    const info = commits.get(commit);
    const [first] = own as [Culprit, ...Culprit[]];
    lines.push(
      `${short(commit)}  ${info?.subject ?? ''}`,
      `  ${info === undefined ? '' : `${info.author}, ${new Date(1000 * info.time).toISOString().slice(0, 10)}; `}` +
        `${own.length} of ${caseNames.length} cases${first.merge === undefined ? '' : `; merged by ${short(first.merge)}`}`,
    );
    if (first.others.length > 0)
      lines.push(
        `  or one of ${first.others.map(short).join(', ')}, which say nothing (not built, or not understood)`,
      );
    const columns: Column[] = [
      { title: '  case' },
      { title: 'before', ...right },
      { title: 'after', ...right },
      { title: '' },
    ];
    const rows = own.map((one) => [
      `  ${caseNames[one.case] ?? one.case}`,
      levelText(one.beforeLevel, report.by, report.limitMs),
      levelText(one.afterLevel, report.by, report.limitMs),
      `${one.direction}${one.isVerified ? '' : ', not sure when measured again'}`,
    ]);
    lines.push(table(columns, rows), '');
  }
  if (culprits.length === 0) lines.push('No commit made a difference.', '');
  for (const { case: one, why } of without) lines.push(`${caseNames[one] ?? one}: ${why}.`);
  if (without.length > 0) lines.push('');
  lines.push(
    `${looked} commits were looked at, ${built} of them built for it` +
      `${failed.length === 0 ? '' : `; ${failed.length} did not build`}.`,
  );
  for (const { commit, why } of failed.slice(0, 3)) lines.push(`  ${short(commit)}: ${why}`);
  return visible(lines.join('\n'));
}

export function bisectionJson({ bisection, caseNames, commits }: BisectionReport): object {
  return {
    ...bisection,
    without: bisection.without.map(({ case: one, why }) => ({ case: caseNames[one], why })),
    culprits: bisection.culprits.map((one) => ({
      ...one,
      case: caseNames[one.case],
      subject: commits.get(one.commit)?.subject,
    })),
  };
}

function byCommit(culprits: readonly Culprit[]): readonly (readonly [string, readonly Culprit[]])[] {
  const groups = new Map<string, Culprit[]>();
  for (const one of culprits) {
    const group = groups.get(one.commit);
    if (group === undefined) groups.set(one.commit, [one]);
    else group.push(one);
  }
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length);
}
