/**
 * The interface of search strategies. A strategy is a coroutine that yields formulas and receives their results, so
 * that a published algorithm reads like its paper; workers, early stopping, journals and replay are the campaign's
 * concern. It uses only the given random generator and the times it receives: equal seeds and results give equal
 * searches.
 */

import type { z } from 'zod';
import type { PackedCounts } from '../coverage/index.js';
import type { Random } from '../machine/index.js';
import type { LogicName, Script } from '../smtlib/index.js';
import type { Runs, Slowness } from '../solver/index.js';
import type { Core } from './core.js';
import type { Kind } from './kind.js';
import type { Belief } from './search/bandit.js';

/** How a formula was created. */
export const origins = ['generated', 'mutated', 'crossed', 'corpus', 'simplified'] as const;
export type Origin = (typeof origins)[number];

/**
 * - `full`: runs every version to its end or the timeout.
 * - `early`: stops when it is clear whether the formula is a slowdown.
 * - `others-first`: as `early`, older versions first, for formulas that may be too hard for all.
 * - `checked`: as `early`, but runs all versions.
 * - `quick`: stops when the quick rule decides.
 * - `sure`: stops when the rule for findings decides.
 */
export const measurings = ['full', 'early', 'others-first', 'checked', 'quick', 'sure'] as const;

/** A formula to measure. */
export interface Trial {
  readonly step: 'try';
  readonly formula: Script;
  readonly origin: Origin;
  readonly measuring: (typeof measurings)[number];
  /** Requests the newest version's coverage of its last run. */
  readonly isCounted?: boolean | undefined;
  /** Requests `grown` if the formula is slow. */
  readonly isCompared?: boolean | undefined;
  /** For formulas that are likely slow: the estimated time of the fastest older version. */
  readonly likelyReferenceMs?: number | undefined;
}

/** The result of a trial. */
export interface TrialResult {
  readonly runs: Runs;
  /** Milliseconds since the campaign began. */
  readonly atMs: number;
  /** The newest version's coverage, if requested. */
  readonly executed?: PackedCounts | undefined;
  /**
   * Per function, the counts that exceed the fastest older version's; if requested, slow, and that version counts
   * coverage.
   */
  readonly grown?: PackedCounts | undefined;
}

/** A slowdown to report; the paper's R ∪ {t}. */
export interface FoundSlowdown {
  readonly step: 'found';
  readonly formula: Script;
  readonly runs: Runs;
  /** It looks like a known kind and is not shrunk. */
  readonly isPresumed?: boolean;
  /** The strategy shrinks it itself and yields `Pursued`; otherwise the campaign shrinks it. */
  readonly isPursued?: boolean;
  /** The source or mutation, such as the operator replaced last. */
  readonly by: string;
}

/** The result of shrinking the lane's last pursued slowdown. */
export interface PursuedSlowdown {
  readonly step: 'pursued';
  /** The core; undefined if shrinking showed a known kind. */
  readonly core: Core | undefined;
}

export type Step = Trial | FoundSlowdown | PursuedSlowdown;

/** One sequence of trials. Only trials are measured; other steps are answered at once. */
export type Lane = Generator<Step, never, TrialResult>;

/** A strategy's state, for display. */
export interface StrategyView {
  /** The actions' estimated success rates, the best first. */
  readonly beliefs: readonly Belief[];
  /** The generator's current parameters, if the strategy changes them. */
  readonly parameters: Readonly<Record<string, number>>;
}

/** A member of a population, with its runs. */
export interface Member {
  readonly formula: Script;
  readonly runs: Runs;
  /** The newest version's coverage, if counted. */
  readonly executed?: PackedCounts | undefined;
}

export interface Search {
  /** Starts a lane. Each worker runs one; they share what they learn. */
  lane(random: Random): Lane;
  view(): StrategyView;
  /** The current population, in evolutionary searches. */
  population?(): readonly Member[];
  /** Reports the kind of a shrunk slowdown. */
  learn?(kind: Kind): void;
  /** Reports a kind whose slowdown was refuted. */
  unlearn?(kind: Kind): void;
}

/** The inputs of a search. */
export interface SearchInput {
  readonly slowness: Slowness;
  readonly logic: LogicName;
  /** The user's formulas to start from. */
  readonly corpus: readonly Script[];
  /** Kinds that earlier campaigns found between these versions. */
  readonly known: readonly Kind[];
}

export interface Strategy<Options extends z.ZodType = z.ZodType> {
  /** One sentence for users. */
  readonly summary: string;
  /** Requires coverage of the newest version. */
  readonly isCounting?: boolean | undefined;
  /** The paper's timeout, used unless the user sets one. */
  readonly timeoutMs?: number | undefined;
  /** All constants by name, with defaults. */
  readonly options: Options;
  start(input: SearchInput, options: z.infer<Options>): Search;
}

/** Infers the type of a strategy from its options. */
export function strategy<Options extends z.ZodType>(definition: Strategy<Options>): Strategy<Options> {
  return definition;
}

/** Measures a formula; use with `yield*`. */
export function* measured(
  formula: Script,
  origin: Origin,
  measuring: Trial['measuring'],
  more: Pick<Trial, 'likelyReferenceMs' | 'isCounted' | 'isCompared'> = {},
): Generator<Step, TrialResult, TrialResult> {
  return yield { step: 'try', formula, origin, measuring, ...more };
}
