/**
 * The state machine of a hunt, without clock, solvers or files: it takes measurements and returns events and the next
 * formulas to measure. Settings and the order of measurements determine its behaviour, so a campaign can be resumed
 * and replayed.
 */

import type { z } from 'zod';
import type { CaseId } from '../campaign/index.js';
import { type PackedCounts, packedFromText } from '../coverage/index.js';
import { Fault, Random, usageFault } from '../machine/index.js';
import { printScript, type Script } from '../smtlib/index.js';
import { type Anomaly, anomaliesIn } from './anomaly.js';
import { Candidates, type Reduction, type Task } from './candidates.js';
import {
  asWritten,
  type EventOf,
  formulaMark,
  type Measurement,
  type Note,
  present,
  type WrittenRuns,
} from './events.js';
import { Failures } from './failures.js';
import type { Kind } from './kind.js';
import type { HuntSettings, kindSchema } from './settings.js';
import { storedFormula } from './stored-formula.js';
import { type StrategyName, strategies } from './strategies/index.js';
import type {
  FoundSlowdown,
  Lane,
  Member,
  PursuedSlowdown,
  Search,
  SearchInput,
  StrategyView,
  Trial,
} from './strategy.js';

/** The most anomalies stored for each kind and version; the rest are only counted. */
const mostStored = 10;

/** How often a lane is restarted if it fails before its first trial. */
const mostLaneStarts = 100;

/** A sequence of trials and its next one. */
interface LaneState {
  steps: Lane;
  trial: Trial;
  /** The mark of the trial's formula. */
  mark: string;
  /** The slowdown that the lane is shrinking. */
  pursued: CaseId | undefined;
}

export class Hunt {
  readonly #search: Search;
  readonly #random: Random;
  readonly #lanes: readonly LaneState[];
  readonly #candidates: Candidates;
  readonly #anomalies = new Map<string, number>();
  #anomalyCount = 0;
  #tried = 0;

  private constructor(
    readonly settings: HuntSettings,
    search: Search,
    /** Formulas that culprit itself failed on. */
    readonly failures: Failures,
  ) {
    this.#candidates = new Candidates(settings.slowness, settings);
    this.#search = search;
    this.#random = Random.fromSeed(settings.seed);
    // A lane's first step depends on no measurement.
    this.#lanes = Array.from({ length: settings.workers }, () => this.#startLane());
  }

  /** A fault if the settings are damaged. */
  static of(settings: HuntSettings): Hunt | Fault {
    const failures = new Failures();
    const corpus: Script[] = [];
    for (const text of settings.corpus) {
      const formula = failures.caught(() => storedFormula(text), undefined);
      if (formula instanceof Fault) return formula;
      if (formula !== undefined) corpus.push(formula);
    }
    const input: SearchInput = {
      slowness: settings.slowness,
      logic: settings.logic,
      corpus,
      known: settings.known,
    };
    const strategy = strategies[settings.strategy];
    const search = startSearch(strategy, input, settings.options);
    return search instanceof Fault ? search : new Hunt(settings, search, failures);
  }

  get triedCount(): number {
    return this.#tried;
  }

  view(): StrategyView {
    return this.#search.view();
  }

  /** The population of an evolutionary search, else empty. */
  population(): readonly Member[] {
    return this.#search.population?.() ?? [];
  }

  /** The trial that a lane wants measured. */
  trialOf(lane: number): Trial {
    return this.#lane(lane).trial;
  }

  markOf(lane: number): string {
    return this.#lane(lane).mark;
  }

  #lane(lane: number): LaneState {
    const state = this.#lanes[lane];
    if (state === undefined) throw new RangeError(`there is no lane ${lane}`);
    return state;
  }

  /** Applies a measurement. Returns the events that follow, or a fault if it does not belong to this search. */
  apply(measurement: Measurement): readonly Note[] | Fault {
    switch (measurement.event) {
      case 'tried':
        return this.#applyTrial(measurement);
      case 'shrunk':
        return this.failures.caught(() => this.#applyShrinking(measurement), []);
      case 'confirmed':
        return this.failures.caught(() => this.#applyConfirmation(measurement), []);
      case 'reduced':
        return this.failures.caught(() => this.#applyReduction(measurement), []);
    }
  }

  takeTask(isOver = false): Task | undefined {
    return this.#candidates.takeTask(isOver);
  }

  takeReduction(): Reduction | undefined {
    return this.#candidates.takeReduction();
  }

  get unreducedCount(): number {
    return this.#candidates.unreducedCount;
  }

  giveBack(task: Task | Reduction): void {
    this.#candidates.giveBack(task);
  }

  /** After the search: releases the slowdowns that lanes were shrinking, so that workers can shrink them. */
  giveBackPursued(): void {
    for (const lane of this.#lanes) this.#giveBackOf(lane);
  }

  #giveBackOf({ pursued }: LaneState): void {
    if (pursued !== undefined) this.#candidates.giveBack({ slowdown: pursued });
  }

  #applyTrial(measurement: EventOf<'tried'>): readonly Note[] | Fault {
    const lane = this.#lanes[measurement.lane];
    if (lane === undefined) return divergedFault();
    const { formula } = lane.trial;
    if (lane.mark !== measurement.formula) return divergedFault();
    this.#tried++;
    const runs = present(measurement.runs);
    const anomalies = anomaliesIn(runs, this.settings.slowness, measurement.wrongModels);
    const notes: Note[] = [...this.#anomalyNotes(anomalies, formula, measurement)];
    try {
      const trialled = {
        runs,
        atMs: measurement.at,
        executed: unpacked(measurement.executed),
        grown: unpacked(measurement.grown),
      };
      let step = lane.steps.next(trialled);
      for (; step.value.step !== 'try'; step = lane.steps.next(trialled)) {
        if (step.value.step === 'found') notes.push(this.#applyFound(lane, step.value, measurement.at));
        else notes.push(...this.#applyPursued(lane, step.value, measurement.at));
      }
      lane.mark = formulaMark(step.value.formula);
      lane.trial = step.value;
    } catch (error) {
      // The lane is over, but the search's shared state remains.
      this.failures.add(error);
      endFailed(lane.steps, error);
      this.#giveBackOf(lane);
      Object.assign(lane, this.#startLane());
    }
    return notes;
  }

  #anomalyNotes(
    anomalies: readonly Anomaly[],
    formula: Script,
    { at, runs }: { readonly at: number; readonly runs: WrittenRuns },
  ): readonly Note[] {
    return anomalies
      .filter((anomaly) => this.#isWorthStoring(anomaly))
      .map((anomaly) => ({
        event: 'oddity',
        at,
        oddity: ++this.#anomalyCount,
        kind: anomaly.kind,
        text: printScript(formula),
        runs,
        ...(anomaly.kind === 'wrong-model' ? { claim: anomaly.claim } : {}),
      }));
  }

  #startLane(): LaneState {
    for (let left = mostLaneStarts; ; left--) {
      try {
        const steps = this.#search.lane(this.#random.split());
        const trial = firstTrial(steps);
        return { steps, trial, mark: formulaMark(trial.formula), pursued: undefined };
      } catch (error) {
        if (left === 1) throw error;
        this.failures.add(error);
      }
    }
  }

  #applyFound(lane: LaneState, found: FoundSlowdown, at: number): Note {
    const { formula, runs, by, isPresumed = false, isPursued = false } = found;
    const slowdown = this.#candidates.add(found);
    if (isPursued) lane.pursued = slowdown;
    const text = printScript(formula);
    return { event: 'slowdown', at, slowdown, by, text, runs: asWritten(runs), isPresumed };
  }

  #applyPursued(lane: LaneState, { core }: PursuedSlowdown, at: number): readonly Note[] {
    const { pursued: slowdown } = lane;
    if (slowdown === undefined) throw new Error('a strategy must find something before it goes on with it');
    lane.pursued = undefined;
    const changed = this.#candidates.pursue(slowdown, core);
    if (changed === undefined) return [];
    if (core === undefined) return [{ event: 'pursued', at, slowdown, isPresumed: true }];
    const [text, runs] = [printScript(core.formula), asWritten(core.runs)];
    const kind = changed.kind && storedKind(changed.kind);
    return [{ event: 'pursued', at, slowdown, text, runs, kind, isPresumed: false }];
  }

  #applyShrinking(measurement: EventOf<'shrunk'>): readonly Note[] | Fault {
    const { at, slowdown } = measurement;
    if (!this.#candidates.has(slowdown)) return divergedFault();
    const kind = this.#candidates.shrink(measurement);
    if (kind instanceof Fault) return kind;
    if (kind === undefined) return [];
    this.#search.learn?.(kind);
    return [{ event: 'kind', at, slowdown, kind: storedKind(kind) }];
  }

  #applyConfirmation(measurement: EventOf<'confirmed'>): readonly Note[] | Fault {
    const { at, slowdown, samples, verdict, wrongModels = [] } = measurement;
    if (!this.#candidates.has(slowdown)) return divergedFault();
    const claims = wrongModels.map((claim) => ({
      kind: 'wrong-model' as const,
      version: claim.version,
      claim,
    }));
    const runs = samples.map(([first = null]) => first);
    const odd = this.#anomalyNotes(claims, this.#candidates.formulaOf(slowdown), { at, runs });
    if (verdict === 'slower') {
      const kind = this.#candidates.confirm(slowdown, samples);
      return kind === undefined ? odd : [...odd, { event: 'kind', at, slowdown, kind: storedKind(kind) }];
    }
    // A refuted slowdown must not make the search avoid its operators.
    const refuted = this.#candidates.refute(slowdown);
    if (refuted !== undefined) this.#search.unlearn?.(refuted);
    return odd;
  }

  #applyReduction(measurement: EventOf<'reduced'>): readonly Note[] | Fault {
    const { at, slowdown } = measurement;
    if (!this.#candidates.has(slowdown)) return divergedFault();
    const kind = this.#candidates.reduce(measurement);
    if (kind instanceof Fault) return kind;
    return kind === undefined ? [] : [{ event: 'kind', at, slowdown, kind: storedKind(kind) }];
  }

  #isWorthStoring(anomaly: Anomaly): boolean {
    const key = anomaly.kind === 'disagreement' ? anomaly.kind : `${anomaly.kind} ${anomaly.version}`;
    const count = (this.#anomalies.get(key) ?? 0) + 1;
    this.#anomalies.set(key, count);
    return count <= mostStored;
  }
}

/** The journal's measurements do not belong to this search. */
export function divergedFault(): Fault {
  return usageFault(
    'the campaign cannot be resumed: another version of culprit with a different search created it, or its files ' +
      'were changed; culprit report still works on it',
  );
}

/** Validates options again, since a campaign's file may be damaged. */
function startSearch(
  strategy: (typeof strategies)[StrategyName],
  input: SearchInput,
  options: Readonly<Record<string, unknown>>,
): Search | Fault {
  const start = strategy.start as (input: SearchInput, options: unknown) => Search;
  const constants = strategy.options.safeParse(options);
  if (constants.success) return start(input, constants.data);
  const [issue] = constants.error.issues;
  return usageFault(`campaign.json is damaged at options.${issue?.path.join('.')}: ${issue?.message}`);
}

function firstTrial(steps: Lane): Trial {
  const { value } = steps.next();
  if (value.step !== 'try') throw new Error('a strategy must try something before it finds something');
  return value;
}

/** Throws into the lane so that it releases its state, such as its population. */
function endFailed(steps: Lane, error: unknown): void {
  try {
    steps.throw(error);
  } catch {
    // The error that was thrown into it.
  }
}

function storedKind({ answer, operators, since, busy }: Kind): z.infer<typeof kindSchema> {
  return { answer, operators: [...operators], since, busy };
}

function unpacked(text: string | undefined): PackedCounts | undefined {
  return text === undefined ? undefined : packedFromText(text);
}
