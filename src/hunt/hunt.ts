/**
 * A hunt without its clock, its solvers and its files: fed with what was measured, it says what to measure next and
 * what has been found. Everything it does follows from the settings and the order of the measurements, which is what
 * makes a campaign resumable and replayable.
 */

import type { z } from 'zod';
import { CampaignError } from '../campaign/index.js';
import { LocatedFault } from '../machine/index.js';
import { printScript, Random, readScript, type Script } from '../smtlib/index.js';
import { type Runs, type Slowness, slowdownIn } from '../solver/index.js';
import { asWritten, type EventOf, formulaMark, type Measurement, type Note, present } from './events.js';
import { groupByKind, type Kind, kindKey, kindOf } from './kind.js';
import { type Oddity, odditiesIn } from './oddity.js';
import type { HuntSettings, kindSchema } from './settings.js';
import { type StrategyName, strategies } from './strategies/index.js';
import type { Found, Ground, Lane, Search, StrategyView, Trial } from './strategy.js';

/** Work on a slowdown. */
export type Task =
  | { readonly task: 'shrink'; readonly slowdown: number; readonly formula: Script; readonly runs: Runs }
  | { readonly task: 'confirm'; readonly slowdown: number; readonly formula: Script };

/** A slowdown on its way to a finding. */
interface Case {
  readonly id: number;
  formula: Script;
  /** What makes it slow, where that is less than the formula. */
  telling: Script | undefined;
  runs: Runs;
  kind: Kind | undefined;
  /** What kind it looks like before it is shrunk; told once. */
  likely?: Kind | undefined;
  stage: 'unshrunk' | 'shrunk' | 'confirmed' | 'refuted' | 'double';
  /** A worker has it in hand. */
  isTaken: boolean;
  /** Taken for a known kind without having been shrunk to its end, and only counted. */
  readonly isPresumed: boolean;
}

/** Of each kind of oddity and version this many are kept, and the rest only counted. */
const keptOddities = 10;

export class Hunt {
  readonly #slowness: Slowness;
  readonly #search: Search;
  readonly #lanes: readonly { readonly steps: Lane; trial: Trial }[];
  readonly #cases: Case[] = [];
  readonly #cores = new Set<string>();
  readonly #oddities = new Map<string, number>();
  #oddityCount = 0;
  #tried = 0;

  constructor(private readonly settings: HuntSettings) {
    this.#slowness = settings.slowness;
    const ground: Ground = {
      slowness: this.#slowness,
      logic: settings.logic as Ground['logic'],
      corpus: settings.corpus.map(formulaIn),
      known: settings.known,
    };
    const strategy = strategies[settings.strategy as StrategyName];
    this.#search = startSearch(strategy, ground, settings.options);
    const random = Random.fromSeed(settings.seed);
    this.#lanes = Array.from({ length: settings.workers }, () => {
      const steps = this.#search.lane(random.split());
      // A lane's first step draws on nothing that was measured.
      return { steps, trial: firstTrial(steps) };
    });
  }

  get triedCount(): number {
    return this.#tried;
  }

  view(): StrategyView {
    return this.#search.view();
  }

  /** What a lane wants measured. */
  trialOf(lane: number): Trial {
    return this.#lane(lane).trial;
  }

  /** Takes in a measurement; returns what followed from it. */
  apply(measurement: Measurement): readonly Note[] {
    switch (measurement.event) {
      case 'tried':
        return this.#applyTrial(measurement);
      case 'shrunk':
        return this.#applyShrinking(measurement);
      case 'confirmed':
        return this.#applyConfirmation(measurement);
    }
  }

  /**
   * The most valuable thing to do about the slowdowns found so far, marked as taken.
   *
   * @param isOver the search is over, and there is time for what it only presumed, where a kind has few findings
   */
  takeTask(isOver = false): Task | undefined {
    const open = this.#cases.filter(
      (one) => !one.isTaken && (one.stage === 'unshrunk' || one.stage === 'shrunk'),
    );
    // In a study, whatever was presumed is looked at as closely as everything else, and so is what only looks alike:
    // what is a kind there is told by other campaigns as well.
    const isAfter = this.settings.confirming === 'after';
    const isWanted = (one: Case): boolean => this.#confirmed(one) < this.settings.confirmedPerKind;
    const next =
      open.find((one) => one.stage === 'shrunk' && this.#confirmed(one) === 0) ??
      open.find((one) => one.stage === 'unshrunk' && (isAfter || !one.isPresumed)) ??
      open.find((one) => one.stage === 'shrunk' && (isWanted(one) || (isAfter && this.#isOther(one)))) ??
      (isOver ? open.find((one) => one.stage === 'unshrunk' && this.#isWorthDoubting(one)) : undefined);
    if (next === undefined) return undefined;
    next.isTaken = true;
    const { id: slowdown, formula, runs } = next;
    return next.stage === 'shrunk'
      ? { task: 'confirm', slowdown, formula }
      : { task: 'shrink', slowdown, formula, runs };
  }

  /** A task that came to nothing, as when the campaign is stopped, may be taken again. */
  giveBack({ slowdown }: Task): void {
    this.#case(slowdown).isTaken = false;
  }

  #applyTrial(measurement: EventOf<'tried'>): readonly Note[] {
    const lane = this.#lane(measurement.lane);
    const { formula } = lane.trial;
    if (formulaMark(formula) !== measurement.formula) throw new DivergedError();
    this.#tried++;
    const runs = present(measurement.runs);
    const notes: Note[] = odditiesIn(runs)
      .filter((oddity) => this.#isWorthKeeping(oddity))
      .map((oddity) => ({
        event: 'oddity',
        at: measurement.at,
        oddity: ++this.#oddityCount,
        kind: oddity.kind,
        text: printScript(formula),
        runs: measurement.runs,
      }));
    for (let step = lane.steps.next({ runs, atMs: measurement.at }); ; ) {
      if (step.value.step === 'try') {
        lane.trial = step.value;
        return notes;
      }
      notes.push(this.#applyFound(step.value, measurement.at));
      step = lane.steps.next({ runs, atMs: measurement.at });
    }
  }

  #applyFound(found: Found, at: number): Note {
    const { formula, runs, shrunkFrom, telling, by } = found;
    const isPresumed = found.isPresumed ?? false;
    const one: Case = {
      id: this.#cases.length + 1,
      formula,
      telling,
      runs,
      kind: shrunkFrom === undefined ? undefined : this.#kindOf(telling ?? formula, runs),
      stage: shrunkFrom === undefined ? 'unshrunk' : this.#shrunkStage(formula),
      isTaken: false,
      isPresumed,
    };
    this.#cases.push(one);
    return {
      event: 'slowdown',
      at,
      slowdown: one.id,
      by,
      text: printScript(formula),
      ...(shrunkFrom === undefined || shrunkFrom === formula ? {} : { original: printScript(shrunkFrom) }),
      runs: asWritten(runs),
      ...(one.kind === undefined ? {} : { kind: mutable(one.kind) }),
      isPresumed,
    };
  }

  #applyShrinking({ at, slowdown, text, telling, runs }: EventOf<'shrunk'>): readonly Note[] {
    const one = this.#case(slowdown);
    one.formula = formulaIn(text);
    one.telling = telling === undefined ? undefined : formulaIn(telling);
    one.runs = present(runs);
    one.kind = this.#kindOf(one.telling ?? one.formula, one.runs);
    one.stage = this.#shrunkStage(one.formula);
    one.isTaken = false;
    if (one.kind === undefined) return [];
    this.#search.learn?.(one.kind);
    return [{ event: 'kind', at, slowdown, kind: mutable(one.kind) }];
  }

  #applyConfirmation({ at, slowdown, samples, verdict }: EventOf<'confirmed'>): readonly Note[] {
    const one = this.#case(slowdown);
    one.isTaken = false;
    one.stage = verdict === 'slower' ? 'confirmed' : 'refuted';
    if (verdict !== 'slower') {
      this.#unlearn(one);
      return [];
    }
    // All versions have been run to their end now: what is known of where it became slow is more than before.
    const sure = this.#kindOf(
      one.telling ?? one.formula,
      samples.map((runs) => runs[0]),
    );
    one.kind = sure === undefined ? one.kind : { ...sure, busy: sure.busy ?? one.kind?.busy };
    if (one.kind === undefined) return [];
    return [{ event: 'kind', at, slowdown, kind: mutable(one.kind) }];
  }

  /** What only seemed to be slow must not keep the search from its operators. */
  #unlearn({ kind }: Case): void {
    if (kind === undefined) return;
    const key = kindKey(kind);
    const isElsewhere = this.#cases.some(
      (other) => other.stage !== 'refuted' && other.kind !== undefined && kindKey(other.kind) === key,
    );
    if (!isElsewhere) this.#search.unlearn?.(kind);
  }

  /** Different formulas may shrink to one; once is enough to confirm it. */
  #shrunkStage(formula: Script): 'shrunk' | 'double' {
    const mark = formulaMark(formula);
    if (this.#cores.has(mark)) return 'double';
    this.#cores.add(mark);
    return 'shrunk';
  }

  #kindOf(formula: Script, runs: Runs): Kind | undefined {
    const slowdown = slowdownIn(runs, this.#slowness);
    return slowdown === undefined ? undefined : kindOf(formula, runs, slowdown, this.#slowness);
  }

  #likelyKind(one: Case): Kind | undefined {
    if (one.kind !== undefined) return one.kind;
    one.likely ??= this.#kindOf(one.formula, one.runs);
    return one.likely;
  }

  /** None with the same operators is confirmed. */
  #isOther({ kind }: Case): boolean {
    const key = kind === undefined ? undefined : kindKey(kind);
    return !this.#cases.some(
      (other) => other.stage === 'confirmed' && other.kind !== undefined && kindKey(other.kind) === key,
    );
  }

  /** Fewer of its kind than are wanted are confirmed, or were presumed and have been looked at, whatever came of it. */
  #isWorthDoubting(one: Case): boolean {
    const isLookedAt = ({ stage, isPresumed, isTaken }: Case): boolean =>
      stage === 'confirmed' || (isPresumed && (isTaken || stage !== 'unshrunk'));
    return this.#alike(one, isLookedAt) < this.settings.confirmedPerKind;
  }

  /** How many are confirmed that have likely the same cause. */
  #confirmed(one: Case): number {
    return this.#alike(one, ({ stage }) => stage === 'confirmed');
  }

  /** How many of some others have likely the same cause. */
  #alike(one: Case, isCounted: (other: Case) => boolean): number {
    const known = this.#cases.filter((other) => other !== one && isCounted(other));
    const items = [one, ...known].flatMap((each) => {
      const kind = this.#likelyKind(each);
      return kind === undefined ? [] : [{ id: each.id, kind }];
    });
    const home = groupByKind(items, ({ kind }) => kind).find((group) =>
      group.items.some(({ id }) => id === one.id),
    );
    return home === undefined ? 0 : home.items.length - 1;
  }

  #isWorthKeeping(oddity: Oddity): boolean {
    const key = oddity.kind === 'disagreement' ? oddity.kind : `${oddity.kind} ${oddity.version}`;
    const count = (this.#oddities.get(key) ?? 0) + 1;
    this.#oddities.set(key, count);
    return count <= keptOddities;
  }

  #lane(lane: number) {
    const found = this.#lanes[lane];
    if (found === undefined) throw new DivergedError();
    return found;
  }

  #case(id: number): Case {
    const found = this.#cases[id - 1];
    if (found === undefined) throw new DivergedError();
    return found;
  }
}

/** Measurements do not belong to this search. */
export class DivergedError extends CampaignError {
  constructor() {
    super(
      'the campaign cannot be gone on with: it was made by another culprit, which searches in another way, or its files ' +
        'were changed; culprit report still works on it',
    );
  }
}

/** A stored formula, which someone may have changed. */
function formulaIn(text: string): Script {
  const read = readScript(text);
  if (!(read instanceof LocatedFault)) return read;
  throw new CampaignError(`a formula of the campaign is damaged: ${read.message}`);
}

/** Options were checked when the campaign began; those of a damaged file are checked again here. */
function startSearch(
  strategy: (typeof strategies)[StrategyName],
  ground: Ground,
  options: Readonly<Record<string, unknown>>,
): Search {
  const start = strategy.start as (ground: Ground, options: unknown) => Search;
  const constants = strategy.options.safeParse(options);
  if (constants.success) return start(ground, constants.data);
  const [issue] = constants.error.issues;
  throw new CampaignError(`campaign.json is damaged at options.${issue?.path.join('.')}: ${issue?.message}`);
}

function firstTrial(steps: Lane): Trial {
  const { value } = steps.next();
  if (value.step !== 'try') throw new Error('a strategy must try something before it finds something');
  return value;
}

function mutable({ busy, ...kind }: Kind): z.infer<typeof kindSchema> {
  return { ...kind, operators: [...kind.operators], ...(busy === undefined ? {} : { busy }) };
}
