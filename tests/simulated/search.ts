/** Drives searches on simulated solvers step by step. */

import { type PackedCounts, packedPlaces, placeOf } from '../../src/coverage/packed.js';
import type { Core } from '../../src/hunt/core.js';
import type { Note } from '../../src/hunt/events.js';
import { Hunt } from '../../src/hunt/hunt.js';
import type { HuntSettings } from '../../src/hunt/settings.js';
import { type StrategyName, strategies } from '../../src/hunt/strategies/index.js';
import type { FoundSlowdown, Lane, SearchInput, Step, Trial } from '../../src/hunt/strategy.js';
import { measure, type Script } from '../../src/smtlib/index.js';
import type { Runs } from '../../src/solver/index.js';
import { withoutFault } from '../without-fault.js';
import { digits, fullRuns, slowness } from './solver.js';

export const input: SearchInput = { slowness, logic: 'QF_SLIA', corpus: [], known: [] };

export function settingsFor(
  strategy: StrategyName,
  options: Readonly<Record<string, unknown>> = {},
  others: Partial<HuntSettings> = {},
): HuntSettings {
  return {
    format: 1,
    culprit: '0.1.0',
    strategy,
    options: strategies[strategy].options.parse(options) as Record<string, unknown>,
    versions: ['old', 'new'],
    builds: ['old 1', 'new 2'],
    seed: 7,
    workers: 1,
    logic: 'QF_SLIA',
    slowness: { ...slowness, noise: { ...slowness.noise } },
    memoryBytes: 1e9,
    forMs: 10_000,
    confirming: 'during',
    confirmedPerKind: 2,
    corpus: [],
    known: [],
    ...others,
  };
}

export function huntOf(settings: HuntSettings): Hunt {
  return withoutFault(Hunt.of(settings));
}

/** A lane's steps in order, until it has made this many trials. */
export function drive(
  lane: Lane,
  trials: number,
  answer: (trial: Trial) => Runs = ({ formula }) => fullRuns(formula),
  see: (step: Step, runs: Runs) => void = () => {},
  grownBy: (trial: Trial) => PackedCounts | undefined = () => undefined,
): readonly Step[] {
  const steps: Step[] = [];
  let atMs = 0;
  let runs: Runs = [];
  let { value } = lane.next();
  for (let left = trials; ; ) {
    steps.push(value);
    if (value.step === 'try') {
      if (left-- === 0) return steps;
      runs = answer(value);
      atMs += runs.reduce((sum, run) => sum + (run?.wallMs ?? 0), 0);
    }
    const asked = value;
    const executed = value.step === 'try' && value.isCounted ? executedFor(value.formula) : undefined;
    const grown = value.step === 'try' && value.isCompared ? grownBy(value) : undefined;
    value = lane.next({ runs, atMs, executed, grown }).value;
    see(asked, runs);
  }
}

/** Simulated coverage: one file per operator, with one line per occurrence and one per two occurrences. */
export function executedFor(formula: Script): PackedCounts {
  return packedPlaces(
    [...measure(formula).operators].flatMap(([operator, times]) => {
      const file = digits(operator) % 1000;
      const lines: [number, number][] = [[placeOf(file, 1), times]];
      return times > 1 ? [...lines, [placeOf(file, 2), Math.floor(times / 2)]] : lines;
    }),
  );
}

export const isTrial = (step: Step): step is Trial => step.step === 'try';
export const isFound = (step: Step): step is FoundSlowdown => step.step === 'found';

/** The formulas of steps; a slowdown that was presumed known while shrinking has none. */
export const formulasIn = (steps: readonly Step[]): readonly Script[] =>
  steps.flatMap((step) => (step.step === 'pursued' ? (step.core?.formula ?? []) : step.formula));

/** A slowdown and its core. */
export interface Outcome {
  readonly found: FoundSlowdown;
  readonly core: Core | undefined;
  readonly isPresumed: boolean;
}

/** The slowdowns that a lane has finished. */
export function outcomesIn(steps: readonly Step[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  let pursued: FoundSlowdown | undefined;
  for (const step of steps) {
    if (step.step === 'found') {
      if (step.isPursued) pursued = step;
      else outcomes.push({ found: step, core: undefined, isPresumed: step.isPresumed ?? false });
    } else if (step.step === 'pursued') {
      if (pursued === undefined) throw new Error('nothing was found that could have been pursued');
      outcomes.push({ found: pursued, core: step.core, isPresumed: step.core === undefined });
      pursued = undefined;
    }
  }
  return outcomes;
}

export const notesOf = <Name extends Note['event']>(notes: readonly Note[], name: Name) =>
  notes.filter((note): note is Extract<Note, { readonly event: Name }> => note.event === name);
