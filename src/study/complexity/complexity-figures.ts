/** The figures of chapter 5.5 of the thesis, each next to the published figure. */

import { max, mean, median, standardDeviation } from 'simple-statistics';
import { Fault } from '../../machine/index.js';
import { isoDate } from '../../page/index.js';
import { agreement, pairedProbability, rankCorrelation, rankProbability } from '../../statistics/index.js';
import {
  type CommitMeasure,
  type ComplexityData,
  type MeasuredError,
  measuredPairs,
  rankPairs,
} from './complexity.js';

export interface ComparedFigure {
  readonly says: string;
  readonly own: string;
  readonly published: string;
}

export function complexityFigures(data: ComplexityData): readonly ComparedFigure[] {
  return [
    ...errorFigures(data.errors),
    ...seededFigures(data),
    ...spanFigures(data.errors),
    ...introducingFigures(data.errors),
    ...proxyFigures(data.recent),
    ...interactionFigures(data.errors),
  ];
}

const noValue = '-';

function figure(says: string, own: string, published: string): ComparedFigure {
  return { says, own, published };
}

function errorFigures(errors: readonly MeasuredError[]): readonly ComparedFigure[] {
  const fixes = fixesOf(errors);
  return [
    figure('errors measured', `${fixes.length} of ${errors.length}`, '70 of 70'),
    figure('simple errors (fixed with complexity 1)', simple(fixes), '8 %'),
    figure('errors of complexity above 10', above(fixes, 10), '30 %'),
  ];
}

/** Null hypothesis H0a: seeded errors are as complex as real errors. */
function seededFigures({ errors, seeded }: ComplexityData): readonly ComparedFigure[] {
  if (seeded.length === 0) return [];
  const measured = seeded.flatMap(({ fixing }) => (fixing instanceof Fault ? [] : [fixing.complexity]));
  const fixes = fixesOf(errors);
  const isComparable = measured.length > 0 && fixes.length > 0;
  const gap = (): string =>
    `${(mean(fixes) - mean(measured)).toFixed(1)} (${probability(rankProbability(fixes, measured, 'different'))})`;
  return [
    figure('seeded errors measured', `${measured.length} of ${seeded.length}`, '108 of Siemens'),
    figure('simple seeded errors', simple(measured), '42 %'),
    figure('seeded errors of complexity above 10', above(measured, 10), 'less than 1 %'),
    figure(
      'mean complexity, real errors - seeded errors',
      isComparable ? gap() : noValue,
      '21.7 (Siemens; rejected, no p given)',
    ),
    figure(
      'highest complexity, real errors / seeded errors',
      isComparable ? (max(fixes) / max(measured)).toFixed(1) : noValue,
      '20',
    ),
  ];
}

/** Null hypothesis H0b: the complexity of an error is independent of its life span. */
function spanFigures(errors: readonly MeasuredError[]): readonly ComparedFigure[] {
  const lived = errors.flatMap(({ days, fixing }) =>
    days === undefined || fixing instanceof Fault ? [] : [{ days, complexity: fixing.complexity }],
  );
  const spans = lived.map(({ days }) => days);
  return [
    figure(
      'rank correlation of complexity and life span',
      correlation(
        lived.map(({ complexity }) => complexity),
        spans,
      ),
      '0.07 (p 0.58)',
    ),
    figure(
      'errors fixed within a week',
      share(spans, (days) => days <= 7),
      '12 %',
    ),
    figure(
      'median life span of errors',
      spans.length === 0 ? noValue : `${(median(spans) / 30.4).toFixed(1)} months`,
      '9 months',
    ),
    figure(
      'mean life span of errors',
      spans.length === 0 ? noValue : `${(mean(spans) / 365.25).toFixed(1)} years`,
      '1.7 years',
    ),
  ];
}

/**
 * Null hypothesis H0c: the complexity of a fix is independent of the complexity of the commit that introduced the
 * error.
 */
function introducingFigures(errors: readonly MeasuredError[]): readonly ComparedFigure[] {
  const pairs = measuredPairs(errors);
  const introducing = pairs.map((pair) => pair.introducing);
  const fixing = pairs.map((pair) => pair.fixing);
  const means = (): string => {
    const paired = pairedProbability(pairs.map((pair) => [pair.introducing, pair.fixing]));
    return `${mean(introducing).toFixed(1)} and ${mean(fixing).toFixed(1)} (${probability(paired)})`;
  };
  return [
    figure(
      'rank correlation of fixing and introducing commits',
      correlation(fixing, introducing),
      '0.17 (p 0.17)',
    ),
    figure(
      'mean complexity of introducing and of fixing commits',
      pairs.length === 0 ? noValue : means(),
      'introducing commits higher (no p given)',
    ),
  ];
}

/** Research question 1: can the number of changed lines replace the complexity? */
function proxyFigures(recent: ComplexityData['recent']): readonly ComparedFigure[] {
  const pairs = rankPairs(recent);
  const rankGaps = pairs.map(({ byComplexity, byLines }) => byComplexity - byLines);
  const kappa = (some: readonly (readonly [number, number])[]): string =>
    agreement(some)?.toFixed(3) ?? noValue;
  return [
    figure(
      `rank correlation of CyCC and CLoC over ${recent.length} recent commits`,
      correlation(
        recent.map(({ complexity }) => complexity),
        recent.map(({ lines }) => lines),
      ),
      '0.86 (p < 0.0001)',
    ),
    figure(
      'limits of agreement of their ranks',
      rankGaps.length < 2
        ? noValue
        : `± ${(1.96 * standardDeviation(rankGaps)).toFixed(1)} of ${rankGaps.length}`,
      '± 59.4 of 200',
    ),
    figure(
      'Cohen’s kappa of their ranks',
      kappa(pairs.map(({ byComplexity, byLines }) => [byComplexity, byLines])),
      '0.014',
    ),
    figure(
      'Cohen’s kappa of their values',
      kappa(recent.map(({ complexity, lines }) => [complexity, lines])),
      '0.151',
    ),
  ];
}

/** Research question 2, over errors whose list states if they are change interaction errors. */
function interactionFigures(errors: readonly MeasuredError[]): readonly ComparedFigure[] {
  const labelled = errors.filter(({ error }) => error.isInteraction !== undefined);
  if (labelled.length === 0) return [];
  const interacting = labelled.filter(({ error }) => error.isInteraction === true);
  const others = labelled.filter(({ error }) => error.isInteraction === false);
  const compared = (of: (some: readonly MeasuredError[]) => readonly number[], digits: number): string => {
    const [ours, theirs] = [of(interacting), of(others)];
    if (ours.length === 0 || theirs.length === 0) return noValue;
    const both = `${mean([...ours]).toFixed(digits)} and ${mean([...theirs]).toFixed(digits)}`;
    return `${both} (${probability(rankProbability(ours, theirs, 'different'))})`;
  };
  return [
    figure('change interaction errors', `${interacting.length} of ${labelled.length}`, '22 of 59'),
    figure(
      'mean complexity of interaction and other errors',
      compared(fixesOf, 1),
      '20.1 and 9.9 (no p given)',
    ),
    figure(
      'mean life span of interaction and other errors, days',
      compared((some) => some.flatMap(({ days }) => days ?? []), 0),
      '623 and 463 (no p given)',
    ),
  ];
}

function fixesOf(errors: readonly MeasuredError[]): number[] {
  return errors.flatMap(({ fixing }) => (fixing instanceof Fault ? [] : [fixing.complexity]));
}

function simple(complexities: readonly number[]): string {
  return share(complexities, (complexity) => complexity <= 1);
}

function above(complexities: readonly number[], bound: number): string {
  return share(complexities, (complexity) => complexity > bound);
}

function share(all: readonly number[], isCounted: (value: number) => boolean): string {
  return all.length === 0 ? noValue : `${Math.round((100 * all.filter(isCounted).length) / all.length)} %`;
}

function correlation(a: readonly number[], b: readonly number[]): string {
  const found = rankCorrelation(a, b);
  return found === undefined ? noValue : `${found.rho.toFixed(2)} (${probability(found.probability)})`;
}

/** A p-value in the usual notation of papers. */
function probability(value: number): string {
  return value < 0.0001 ? 'p < 0.0001' : `p ${value.toFixed(value < 0.01 ? 4 : 2)}`;
}

/** The printed JSON. A commit that could not be measured has a `why`. */
export function complexityDataJson(data: ComplexityData) {
  return {
    figures: complexityFigures(data),
    errors: data.errors.map(({ subject, error, introducing, fixing, days }) => ({
      subject,
      error,
      introducing: measureJson(introducing),
      fixing: measureJson(fixing),
      days,
    })),
    seeded: data.seeded.map(({ subject, version, fixing }) => ({
      subject,
      version,
      fixing: fixing instanceof Fault ? { why: fixing.message } : fixing,
    })),
    recent: data.recent.map(({ time, ...commit }) => ({ ...commit, date: isoDate(time) })),
  };
}

function measureJson(measure: CommitMeasure | Fault) {
  if (measure instanceof Fault) return { why: measure.message };
  const { time, ...numbers } = measure;
  return { ...numbers, date: isoDate(time) };
}
