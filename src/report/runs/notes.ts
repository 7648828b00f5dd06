/** The sentences below a comparison. */

import { counted, duration, ratio } from '../../page/index.js';
import { slowdownRatio } from './cells.js';
import type { RunResult, VersionResult } from './run-result.js';

/** Disagreements first, then errors with their messages. */
export function runNotes(results: readonly RunResult[]): readonly string[] {
  return [
    ...results.flatMap(disagreementNotes),
    ...results.flatMap(({ formula, versions }) =>
      versions.flatMap(({ version, runs }) => {
        const message = runs.map(problem).find((text) => text !== undefined);
        return message === undefined ? [] : [`${formula} on ${version}: ${message}`];
      }),
    ),
  ];
}

function disagreementNotes({ formula, disagreement }: RunResult): readonly string[] {
  if (disagreement === undefined) return [];
  const { sat, unsat, models = [] } = disagreement;
  return [
    `${formula}: ${sat.join(', ')} says sat, ${unsat.join(', ')} says unsat: one of them is wrong.`,
    ...models.map((model) => `${formula}: ${modelNote(model)}`),
  ];
}

type ModelResult = NonNullable<NonNullable<RunResult['disagreement']>['models']>[number];

function modelNote({ version, kind, by, reason }: ModelResult): string {
  switch (kind) {
    case 'confirmed':
      return `the model of ${version} is right: ${by} finds the formula true under it.`;
    case 'refuted':
      return `the model of ${version} is wrong: ${by} finds the formula false under it.`;
    default:
      return `the model of ${version} could not be checked: ${reason}.`;
  }
}

function problem(run: VersionResult['runs'][number]): string | undefined {
  if (run.outcome === 'crash') return `crash (${run.signal})`;
  return run.outcome === 'error' || run.outcome === 'unsupported'
    ? `${run.outcome}: ${run.message}`
    : undefined;
}

/** A line or two on all formulas; empty for a single one. */
export function runTotals(results: readonly RunResult[]): readonly string[] {
  if (results.length < 2) return [];
  const versions = results[0]?.versions.map(({ version }) => version) ?? [];
  return versions.length === 1 ? [answerTotals(results)] : verdictTotals(results, versions);
}

/** Such as `3 of 7 slower, 1 faster, 1 disagrees.` and the mean of the ratios. */
function verdictTotals(results: readonly RunResult[], versions: readonly string[]): readonly string[] {
  const many = (kind: RunResult['verdict']['kind']): number =>
    results.filter(({ verdict }) => verdict.kind === kind).length;
  const disagree = results.filter(({ disagreement }) => disagreement !== undefined).length;
  const others: readonly (readonly [number, string])[] = [
    [many('faster'), 'faster'],
    [many('undecided'), 'unsure'],
    [many('incomparable'), 'not comparable'],
    [disagree, disagree === 1 ? 'disagrees' : 'disagree'],
  ];
  const counts = others.filter(([number]) => number > 0).map(([number, word]) => `, ${number} ${word}`);
  const newest = versions.at(-1) ?? '';
  const reference = versions.length === 2 ? (versions[0] ?? '') : 'the best of the others';
  const ratios = results.flatMap(({ verdict }) =>
    verdict.kind === 'incomparable' ? [] : [slowdownRatio(verdict)],
  );
  const mean = geometricMean(ratios);
  // A run that timed out would have taken longer.
  const least = results.some(({ versions: all }) => all.at(-1)?.outcome === 'timeout') ? 'at least ' : '';
  return [
    `${many('slower')} of ${results.length} slower${counts.join('')}.`,
    ...(mean === undefined
      ? []
      : [
          `${newest} takes ${least}${ratio(mean)} the time of ${reference}, by the geometric mean of ${counted(ratios.length, 'ratio')}.`,
        ]),
  ];
}

/** Such as `7 formulas: 5 sat, 2 timeout; 12.3 s in all.` */
function answerTotals(results: readonly RunResult[]): string {
  const counts = new Map<string, number>();
  for (const { versions } of results)
    for (const { outcome } of versions) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const ms = results.reduce((sum, { versions }) => sum + (versions[0]?.ms ?? 0), 0);
  const each = [...counts].toSorted((a, b) => b[1] - a[1]).map(([outcome, number]) => `${number} ${outcome}`);
  return `${counted(results.length, 'formula')}: ${each.join(', ')}; ${duration(ms)} in all.`;
}

export function geometricMean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
