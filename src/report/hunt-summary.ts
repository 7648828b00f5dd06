/** A campaign on a terminal. */

import { oneLineFormula } from './formula-line.js';
import type { Finding, HuntData } from './hunt-data.js';
import { count, duration, ratio } from './quantities.js';
import { type Column, table } from './table.js';

const right = { align: 'right' as const };

/** @param folder where the campaign is */
export function huntSummary(data: HuntData, folder: string): string {
  const { settings, groups } = data;
  const findings = groups.reduce((sum, group) => sum + group.findings.length, 0);
  const perSecond = data.elapsedMs === 0 ? 0 : (1000 * data.tried) / data.elapsedMs;
  const lines = [
    `${settings.versions.join(', ')}: ${count(data.tried)} formulas in ${duration(data.elapsedMs)} ` +
      `(${perSecond.toFixed(1)} a second), ${counted(data.slowdowns, 'slowdown')}, ` +
      `${counted(findings, 'finding')} of ${counted(groups.length, 'kind')}.`,
  ];
  const disagreements = data.oddities.filter((one) => one.kind === 'disagreement');
  if (disagreements.length > 0) {
    lines.push(
      '',
      `DISAGREEMENT: on ${counted(disagreements.length, 'formula')} one version says sat and another unsat.`,
    );
    for (const one of disagreements.slice(0, 3)) lines.push(`  ${oneLineFormula(one.text)}`);
  }
  if (groups.length > 0) {
    const columns: Column[] = [
      { title: 'kind' },
      { title: 'findings', ...right },
      { title: 'old', ...right },
      { title: 'new', ...right },
      { title: 'ratio', ...right },
      { title: 'smallest formula' },
    ];
    const rows = groups.map(({ name, findings: [first], findings: all, isKnown }) => [
      isKnown ? `${name} (known)` : name,
      String(all.length),
      duration(first.referenceMs),
      newestTime(first),
      `${first.isCut ? '>' : ''}${ratio(first.ratio)}`,
      `cases/s${String(first.id).padStart(4, '0')}.smt2`,
    ]);
    lines.push('', table(columns, rows));
    lines.push('');
    for (const {
      findings: [first],
    } of groups.slice(0, 5))
      lines.push(`  ${oneLineFormula(first.text)}`);
  }
  const odd = oddityCounts(data);
  if (odd !== '') lines.push('', `Besides: ${odd}.`);
  lines.push('', `All of it: ${folder}`);
  return lines.join('\n');
}

export function newestTime({ newestMs, isCut }: Finding): string {
  return `${isCut ? '>' : ''}${duration(newestMs)}`;
}

const oddityWords: Readonly<Record<HuntData['oddities'][number]['kind'], string>> = {
  disagreement: 'disagreement',
  crash: 'crash',
  memout: 'run out of memory',
  error: 'error',
  lost: 'lost answer',
};

function oddityCounts(data: HuntData): string {
  const counts = new Map<string, number>();
  for (const { kind } of data.oddities) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, many]) => counted(many, oddityWords[kind as keyof typeof oddityWords]))
    .join(', ');
}

export function counted(many: number, word: string): string {
  return `${many} ${word}${many === 1 ? '' : 's'}`;
}
