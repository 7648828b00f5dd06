/**
 * A strategy: what to try next. It is written as a coroutine that yields formulas and is handed what came of them, so
 * that a published algorithm reads as it was published, while many workers, early stopping, journals and replay are
 * the campaign's business. It draws from the given generator only and knows the time only from what it is handed:
 * the same seed and the same results give the same search.
 */

import type { z } from 'zod';
import type { PackedCounts } from '../coverage/index.js';
import type { Random } from '../machine/index.js';
import type { LogicName, Script } from '../smtlib/index.js';
import type { Runs, Slowness } from '../solver/index.js';
import type { Belief } from './search/bandit.js';
import type { Core } from './core.js';
import type { Kind } from './kind.js';

/** Where a formula came from. */
export const origins = ['generated', 'mutated', 'crossed', 'corpus', 'simplified'] as const;
export type Origin = (typeof origins)[number];

/**
 * `full`: every version to its end or the timeout. `early`: until it is clear whether it is a slowdown.
 * `others-first`: so, for one that may be too hard for all. `checked`: so, on all versions. `quick`: until it is clear by the quick rule. `sure`: by the rule findings are held to.
 */
export const measurings = ['full', 'early', 'others-first', 'checked', 'quick', 'sure'] as const;

/** A formula to measure. */
export interface Trial {
  readonly step: 'try';
  readonly formula: Script;
  readonly origin: Origin;
  readonly measuring: (typeof measurings)[number];
  /** What the newest version executes is wanted as well, of its last run. */
  readonly isCounted?: boolean | undefined;
  /** If it turns out slow, what grew is wanted as well. */
  readonly isCompared?: boolean | undefined;
  /** Of a formula that is likely slow: how long the quickest of the older versions likely takes. */
  readonly likelyReferenceMs?: number | undefined;
}

/** What came of a trial. */
export interface Trialled {
  readonly runs: Runs;
  /** Milliseconds since the campaign began. */
  readonly atMs: number;
  /** What the newest version executed, where that was wanted. */
  readonly executed?: PackedCounts | undefined;
  /**
   * How much more of it is done in each function than by the quickest older version, where that was wanted, it is slow, and
   * that one counts, too.
   */
  readonly grown?: PackedCounts | undefined;
}

/** A slowdown to hand over; the paper's R ∪ {t}. */
export interface Found {
  readonly step: 'found';
  readonly formula: Script;
  readonly runs: Runs;
  /** It looks like a kind that is known, and is not looked at more closely. */
  readonly isPresumed?: boolean;
  /** The strategy shrinks it itself and says what came of it, as `Pursued`; others leave that to the campaign. */
  readonly isPursued?: boolean;
  /** What made it, such as the operator put in last. */
  readonly by: string;
}

/** What came of the slowdown that a sequence found last and went on with. */
export interface Pursued {
  readonly step: 'pursued';
  /** What it was shrunk to; undefined where it began to look like a kind that is known. */
  readonly core: Core | undefined;
}

export type Step = Trial | Found | Pursued;

/** One sequence of trials. What it yields besides is answered at once. */
export type Lane = Generator<Step, never, Trialled>;

/** What a strategy has learnt, for people to look at. */
export interface StrategyView {
  /** The actions it believes in, the best first. */
  readonly beliefs: readonly Belief[];
  /** The generator's parameters, where it moves them. */
  readonly parameters: Readonly<Record<string, number>>;
}

/** A formula of a population, with what it showed. */
export interface Member {
  readonly formula: Script;
  readonly runs: Runs;
  /** What the newest version executed, where that was counted. */
  readonly executed?: PackedCounts | undefined;
}

export interface Search {
  /** Begins a sequence of trials; each worker follows one of its own, and what they learn is shared. */
  lane(random: Random): Lane;
  view(): StrategyView;
  /** The formulas it lives on, in searches that have some: what it would hand over if it ended now. */
  population?(): readonly Member[];
  /** A slowdown turned out to be of this kind. */
  learn?(kind: Kind): void;
  /** A kind did not hold when it was measured again. */
  unlearn?(kind: Kind): void;
}

/** What a search is given. */
export interface Ground {
  readonly slowness: Slowness;
  readonly logic: LogicName;
  /** Formulas of the user's to start from. */
  readonly corpus: readonly Script[];
  /** Kinds of slowdowns that earlier campaigns found between these versions. */
  readonly known: readonly Kind[];
}

export interface Strategy<Options extends z.ZodType = z.ZodType> {
  /** One sentence for people. */
  readonly says: string;
  /** It asks what the newest version executes, so that one must count it. */
  readonly isCounting?: boolean | undefined;
  /** What a run may take where nobody says so and a paper does. */
  readonly timeoutMs?: number | undefined;
  /** Every constant by name, with its default. */
  readonly options: Options;
  start(ground: Ground, options: z.infer<Options>): Search;
}

/** Checks a strategy's options against its own schema while it is written down. */
export function strategy<Options extends z.ZodType>(definition: Strategy<Options>): Strategy<Options> {
  return definition;
}

/** Measures a formula; for use with `yield*`. */
export function* measured(
  formula: Script,
  origin: Origin,
  measuring: Trial['measuring'],
  more: Pick<Trial, 'likelyReferenceMs' | 'isCounted' | 'isCompared'> = {},
): Generator<Step, Trialled, Trialled> {
  return yield { step: 'try', formula, origin, measuring, ...more };
}
