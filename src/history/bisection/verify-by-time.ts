/** Measures the culprits of quick builds again, by time on optimised builds of both sides. */

import { type BuildContext, type Recipe, versionAt } from '../../builds/index.js';
import { Fault, limitsFor, type OnStep } from '../../machine/index.js';
import { shortId } from '../../repository/index.js';
import { openRunner, type Runner, type Version } from '../../solver/index.js';
import { chance, levelOf, type Sensitivity, sensitivityFor } from '../measuring/levels.js';
import { type FormulaCase, observationOf } from '../measuring/measurer.js';
import type { Bisection, ByTime, Culprit } from './bisection.js';
import { verifyingRounds } from './verification.js';

export interface TimeVerification {
  /** The recipe of optimised builds. */
  readonly recipe: Recipe;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly formulas: readonly FormulaCase[];
  /** The names of the formulas. */
  readonly names: readonly string[];
  readonly relativeNoise: number;
  readonly onStage: (line: string) => void;
  readonly onStep?: OnStep | undefined;
}

/**
 * The bisection with times for its culprits. If a commit cannot be built optimised, its culprit has no time; that is
 * no fault.
 */
export async function verifiedByTime(
  bisection: Bisection,
  verification: TimeVerification,
  context: BuildContext,
): Promise<Bisection> {
  const { recipe, formulas, names, onStage } = verification;
  const optimised = { ...context, builder: { ...context.builder, recipe } };
  // One worker, because times are compared.
  const runner = openRunner({ workers: 1 });
  const culprits: Culprit[] = [];
  try {
    for (const [done, culprit] of bisection.culprits.entries()) {
      const { before, commit, case: id } = culprit;
      onStage(
        `building ${shortId(before)} and ${shortId(commit)} for release, to measure ${names[id] ?? 'a case'} by time`,
      );
      const sides = [await versionAt(optimised, before), await versionAt(optimised, commit)] as const;
      const [quick, slow] = sides;
      const formula = formulas[id];
      if (quick instanceof Fault || slow instanceof Fault || formula === undefined) {
        const why = sides.find((side) => side instanceof Fault)?.message ?? 'there is no such case';
        culprits.push({ ...culprit, byTime: { kind: 'silent', why } });
        continue;
      }
      const total = bisection.culprits.length;
      verification.onStep?.({ step: 'measuring by time', done, total, what: 'step', at: names[id] });
      const timing = { ...verification, runner, formula, signal: context.signal };
      culprits.push({ ...culprit, byTime: await timed(culprit, [quick, slow], timing) });
    }
    return { ...bisection, culprits };
  } finally {
    await runner.close();
  }
}

interface Timing extends Pick<TimeVerification, 'timeoutMs' | 'memoryBytes' | 'relativeNoise'> {
  readonly runner: Runner;
  readonly formula: FormulaCase;
  readonly signal: AbortSignal;
}

/** Interleaved measurements of both sides. */
async function timed(
  { direction }: Culprit,
  sides: readonly [Version, Version],
  { runner, formula: { formula, seed }, timeoutMs, memoryBytes, relativeNoise, signal }: Timing,
): Promise<ByTime> {
  const sensitivity: Sensitivity = sensitivityFor('time', { threshold: undefined, relativeNoise });
  const limits = limitsFor(timeoutMs, memoryBytes);
  const samples: [number[], number[]] = [[], []];
  for (let round = 0; round < verifyingRounds(sensitivity); round++) {
    for (const side of [0, 1] as const) {
      const run = await runner.run({ formula, version: sides[side], limits, seed }, signal);
      const seen = observationOf(run, timeoutMs);
      if (seen.kind === 'unmeasured') return { kind: 'silent', why: seen.fault.message };
      samples[side].push(...seen.samples);
    }
  }
  const [beforeMs, afterMs] = [levelOf(samples[0]), levelOf(samples[1])];
  const difference = direction === 'slower' ? afterMs - beforeMs : beforeMs - afterMs;
  const holds = difference >= sensitivity.least && difference > chance(...samples, sensitivity.noise);
  return { kind: 'measured', beforeMs, afterMs, limitMs: timeoutMs, holds };
}
