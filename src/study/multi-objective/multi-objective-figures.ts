/** Data of Fig. 3 to Fig. 6 of MulStringFuzz, from new campaigns. */

import { mean } from 'simple-statistics';
import { frontsOf } from '../../hunt/index.js';
import type { Run } from '../../solver/index.js';
import {
  type LongRun,
  type PopulationResult,
  populationFigures,
  type ResultMember,
} from './multi-objective.js';

/** Run times of the target on the formulas of result sets (Fig. 3). */
export interface LongTimes {
  readonly endedMs: readonly number[];
  /** Formulas without an answer within the long time limit. */
  readonly unfinished: number;
}

/** A formula that crashes the target at once was not solved quickly. */
const solvedOutcomes: ReadonlySet<string> = new Set(['sat', 'unsat', 'unknown'] satisfies Run['outcome'][]);

export function longTimes(
  results: readonly PopulationResult[],
  longRuns: ReadonlyMap<string, LongRun>,
): LongTimes {
  const runs = membersOf(results).flatMap(({ text }) => longRuns.get(text) ?? []);
  const ended = runs.filter(({ outcome }) => solvedOutcomes.has(outcome));
  return { endedMs: ended.map(({ spentMs }) => spentMs), unfinished: runs.length - ended.length };
}

/** The share of all formulas solved within `ms`; undefined without formulas. */
export function shareWithin({ endedMs, unfinished: unended }: LongTimes, ms: number): number | undefined {
  const many = endedMs.length + unended;
  return many === 0 ? undefined : endedMs.filter((time) => time <= ms).length / many;
}

/**
 * The mean time score in seconds by generation (Fig. 4), averaged over campaigns. A campaign with fewer generations
 * counts with its last one, so the curve ends with the populations of Table I.
 */
export function convergenceOf(
  results: readonly PopulationResult[],
): readonly { readonly at: number; readonly value: number }[] {
  const curves = results.map(({ convergence }) => ({ convergence, next: 0, meanMs: 0 }));
  const generations = [
    ...new Set(results.flatMap((one) => one.convergence.map((point) => point.generation))),
  ];
  return generations
    .toSorted((a, b) => a - b)
    .map((at) => {
      for (const curve of curves)
        for (let point = curve.convergence[curve.next]; point !== undefined && point.generation <= at; ) {
          curve.meanMs = point.meanMs;
          point = curve.convergence[++curve.next];
        }
      const begun = curves.filter(({ next }) => next > 0);
      return { at, value: mean(begun.map(({ meanMs }) => meanMs / 1000)) };
    });
}

/** A score has converged if its relative distance to the final score is at most this. */
const convergenceTolerance = 0.05;

/** The time at which the mean time score converged; undefined with fewer than two generations. */
export function convergedMs({ convergence }: PopulationResult): number | undefined {
  const last = convergence.at(-1);
  if (last === undefined || convergence.length < 2) return undefined;
  const away = convergence.findLastIndex(
    ({ meanMs }) => Math.abs(meanMs - last.meanMs) > convergenceTolerance * last.meanMs,
  );
  return convergence[away + 1]?.atMs;
}

export interface FrontMember extends ResultMember {
  /** True on the Pareto front: no formula is as good in all three goals and better in one. */
  readonly isFirst: boolean;
}

/**
 * Formulas by Pareto fronts, the first front first (Fig. 5). Algorithm 2 gives a formula one point per line once all
 * lines were covered before, so coverage is the number of lines in the end.
 */
export function frontOf(results: readonly PopulationResult[]): readonly FrontMember[] {
  const byText = new Map(membersOf(results).map((member) => [member.text, member]));
  const members = [...byText.values()];
  const scores = members.map(({ timeScoreMs, lines, complexity }) => [timeScoreMs, lines, -complexity]);
  return frontsOf(scores).flatMap((front, number) =>
    front.flatMap((at) => {
      const member = members[at];
      return member === undefined ? [] : [{ ...member, isFirst: number === 0 }];
    }),
  );
}

/** Campaigns of the default variant with one population size. */
export interface SizedResults {
  readonly population: number;
  readonly results: readonly PopulationResult[];
}

/** Results for one population size (Fig. 6), a number per campaign that has it. */
export interface SizeRow {
  readonly population: number;
  readonly campaigns: number;
  readonly convergedMs: readonly number[];
  readonly timeouts: readonly number[];
}

export function sizeTable(
  sizes: readonly SizedResults[],
  longRuns: ReadonlyMap<string, LongRun>,
): readonly SizeRow[] {
  return sizes
    .toSorted((a, b) => a.population - b.population)
    .map(({ population, results }) => ({
      population,
      campaigns: results.length,
      convergedMs: results.flatMap((result) => convergedMs(result) ?? []),
      timeouts: results.flatMap((result) => populationFigures(result, longRuns)?.timeouts ?? []),
    }));
}

/** The ratio of the means; undefined if there is nothing to compare. */
export function relativeTo(own: readonly number[], base: readonly number[]): number | undefined {
  if (own.length === 0 || base.length === 0) return undefined;
  const usual = mean([...base]);
  return usual === 0 ? undefined : mean([...own]) / usual;
}

function membersOf(results: readonly PopulationResult[]): readonly ResultMember[] {
  return results.flatMap(({ members }) => members);
}
