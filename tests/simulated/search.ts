/** Searches over simulated solvers: what a strategy tries and finds, step by step. */

import type { Note } from '../../src/hunt/events.js';
import { Hunt } from '../../src/hunt/hunt.js';
import type { HuntSettings } from '../../src/hunt/settings.js';
import { type StrategyName, strategies } from '../../src/hunt/strategies/index.js';
import type { Found, Ground, Lane, Trial } from '../../src/hunt/strategy.js';
import type { Runs } from '../../src/solver/index.js';
import { withoutFault } from '../without-fault.js';
import { fullRuns, slowness } from './solver.js';

export const ground: Ground = { slowness, logic: 'QF_SLIA', corpus: [], known: [] };

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

/** A lane's trials and finds in order, for as many trials as wanted. */
export function drive(
  lane: Lane,
  trials: number,
  answer: (trial: Trial) => Runs = ({ formula }) => fullRuns(formula),
  see: (step: Trial | Found, runs: Runs) => void = () => {},
): readonly (Trial | Found)[] {
  const steps: (Trial | Found)[] = [];
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
    value = lane.next({ runs, atMs }).value;
    see(asked, runs);
  }
}

export const isTrial = (step: Trial | Found): step is Trial => step.step === 'try';
export const isFound = (step: Trial | Found): step is Found => step.step === 'found';

export const notesOf = <Name extends Note['event']>(notes: readonly Note[], name: Name) =>
  notes.filter((note): note is Extract<Note, { readonly event: Name }> => note.event === name);
