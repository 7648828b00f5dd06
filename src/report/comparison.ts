/** Comparisons as rows for people and as values for programs. */

import { median } from 'simple-statistics';
import { visibleLine } from '../machine/index.js';
import {
  type Comparison,
  type MeasuredFormula,
  type ModelVerdict,
  type Run,
  type Sample,
  spentMs,
  type Version,
} from '../solver/index.js';
import { count, duration, megabytes, ratio } from './quantities.js';
import { type Column, tableLine } from './table.js';

/** Everything that was found out about one formula. */
export interface FormulaReport extends MeasuredFormula {
  /** Its name. */
  readonly formula: string;
  /** What of it the versions did not get to see, in words. */
  readonly leftOut?: readonly string[];
}

/** The outcome a sample is known by: the commonest of its runs. */
function outcomeOf(sample: Sample): string {
  const counts = new Map<string, number>();
  for (const run of sample.runs) counts.set(run.outcome, (counts.get(run.outcome) ?? 0) + 1);
  const [commonest] = [...counts].toSorted((a, b) => b[1] - a[1]);
  return commonest?.[0] ?? '';
}

const medianOf = (sample: Sample, value: (run: Run) => number | undefined): number | undefined => {
  const values = sample.runs.map(value).filter((number) => number !== undefined);
  return values.length === 0 ? undefined : median(values);
};

/** The table of a comparison, line by line: each row can be printed as soon as it was measured. */
export interface ComparisonLines {
  readonly header: string;
  readonly row: (report: FormulaReport) => string;
}

/** @param expected what decides about the widths: the names of all formulas, and how long a run may take */
export function comparisonLines(
  versions: readonly Version[],
  expected: { readonly formulas: readonly string[]; readonly wallMs: number },
): ComparisonLines {
  const longestName = expected.formulas.reduce(
    (most, name) => Math.max(most, [...visibleLine(name)].length),
    0,
  );
  const time = Math.max(...[59_999, expected.wallMs].map((ms) => `>${duration(ms)}`.length));
  const columns: Column[] = [{ title: 'formula', width: longestName }];
  for (const version of versions)
    columns.push(
      { title: version.name, width: 'unknown'.length },
      { title: 'time', align: 'right', width: time },
      { title: 'effort', align: 'right' },
      { title: 'memory', align: 'right', width: '9999 MB'.length },
    );
  if (versions.length > 1) columns.push({ title: 'ratio', align: 'right', width: 5 }, { title: '' });
  const line = tableLine(columns);
  return { header: line(columns.map(({ title }) => title)), row: (report) => line(cellsOf(report)) };
}

function cellsOf(report: FormulaReport): string[] {
  const { samples } = report.comparison;
  const cells = [report.formula];
  for (const sample of samples) {
    const effort = medianOf(sample, (run) => run.effort);
    const memory = medianOf(sample, (run) => run.peakMemoryBytes);
    cells.push(outcomeOf(sample), timeOf(sample));
    cells.push(effort === undefined ? '' : count(effort), memory === undefined ? '' : megabytes(memory));
  }
  if (samples.length > 1) cells.push(ratioOf(report.comparison), markOf(report));
  return cells;
}

function timeOf(sample: Sample): string {
  const ms = medianOf(sample, spentMs);
  if (ms === undefined) return '';
  return `${outcomeOf(sample) === 'timeout' ? '>' : ''}${duration(ms)}`;
}

function ratioOf({ verdict, samples }: Comparison): string {
  if (verdict.kind === 'incomparable') return '';
  const newest = samples.at(-1);
  const isOpen = newest !== undefined && outcomeOf(newest) === 'timeout';
  return `${isOpen ? '>' : ''}${ratio(verdict.newestMs / Math.max(verdict.referenceMs, 0.01))}`;
}

/** What a reader should notice about a row. */
function markOf({ comparison, seeds }: FormulaReport): string {
  const marks: string[] = [];
  if (comparison.disagreement !== undefined) marks.push('DISAGREE');
  const { verdict } = comparison;
  if (verdict.kind === 'slower' || verdict.kind === 'faster') marks.push(verdict.kind);
  if (verdict.kind === 'undecided') marks.push('unsure');
  if (seeds !== undefined) marks.push(`on ${seeds.slower} of ${seeds.of} seeds`);
  return marks.join(', ');
}

/** The sentences below the table: contradictions first, then what failed and why. */
export function comparisonNotes(reports: readonly FormulaReport[]): string[] {
  const notes: string[] = [];
  for (const { formula, comparison, models } of reports) {
    const { disagreement } = comparison;
    if (disagreement === undefined) continue;
    const names = (all: readonly Version[]): string => all.map((version) => version.name).join(', ');
    notes.push(
      `${formula}: ${names(disagreement.sat)} says sat, ${names(disagreement.unsat)} says unsat: one of them is wrong.`,
    );
    for (const { version, verdict } of models ?? []) notes.push(`${formula}: ${modelNote(version, verdict)}`);
  }
  for (const { formula, comparison } of reports) {
    for (const { version, runs } of comparison.samples) {
      const message = runs.map(problem).find((text) => text !== undefined);
      if (message !== undefined) notes.push(`${formula} on ${version.name}: ${message}`);
    }
  }
  return notes;
}

function modelNote(version: string, verdict: ModelVerdict): string {
  switch (verdict.kind) {
    case 'confirmed':
      return `the model of ${version} is right: ${verdict.by.name} finds the formula true under it.`;
    case 'refuted':
      return `the model of ${version} is wrong: ${verdict.by.name} finds the formula false under it.`;
    default:
      return `the model of ${version} could not be checked: ${verdict.reason}.`;
  }
}

function problem(run: Run): string | undefined {
  if (run.outcome === 'crash') return `crash (${run.signal})`;
  return run.outcome === 'error' || run.outcome === 'unsupported'
    ? `${run.outcome}: ${run.message}`
    : undefined;
}

/** One formula as a value for `--json`. */
export function comparisonJson(report: FormulaReport): object {
  const { comparison } = report;
  const { disagreement, reference } = comparison;
  const names = (all: readonly Version[]): string[] => all.map((version) => version.name);
  return {
    formula: report.formula,
    leftOut: report.leftOut?.length === 0 ? undefined : report.leftOut,
    verdict: comparison.verdict,
    reference: reference?.name,
    seeds: report.seeds,
    disagreement: disagreement && {
      check: disagreement.check,
      sat: names(disagreement.sat),
      unsat: names(disagreement.unsat),
      models: report.models?.map(({ version, verdict }) => ({
        version,
        ...verdict,
        by: 'by' in verdict ? verdict.by.name : undefined,
      })),
    },
    versions: comparison.samples.map((sample) => ({
      version: sample.version.name,
      number: sample.version.number,
      source: sample.version.source,
      program: sample.version.program.kind,
      outcome: outcomeOf(sample),
      ms: medianOf(sample, spentMs),
      wallMs: medianOf(sample, (run) => run.wallMs),
      effort: medianOf(sample, (run) => run.effort),
      peakMemoryBytes: medianOf(sample, (run) => run.peakMemoryBytes),
      runs: sample.runs,
    })),
  };
}
