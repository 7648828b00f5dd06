/** The data of a campaign that every report uses. */

import type { CaseId } from '../campaign/index.js';
import type { Growth } from '../coverage/index.js';
import type { Outcome, Runs, WorkCounts } from '../solver/index.js';
import type { EventOf, WrongModel } from './events.js';
import type { DominantCounter, Kind } from './kind.js';
import type { LocatedResult } from './located.js';
import type { HuntSettings } from './settings.js';

/** A version's times for a finding. */
export interface VersionTime {
  readonly version: string;
  readonly outcome: Outcome;
  readonly medianMs: number;
  readonly effort: number | undefined;
  readonly runs: number;
}

/** A confirmed slowdown. */
export interface Finding {
  /** The slowdown's number, as in its file name. */
  readonly id: CaseId;
  /** When the search found the slowdown. */
  readonly foundAtMs: number;
  /** When it was confirmed. */
  readonly atMs: number;
  readonly text: string;
  readonly original: string | undefined;
  /** The reducer finished: no single step makes the formula smaller. */
  readonly isMinimal: boolean;
  readonly by: string;
  readonly kind: Kind;
  /** The newest version's counters at the end of its run; undefined if it has none. */
  readonly work: WorkCounts | undefined;
  /** Functions that the newest version calls more often than the fastest older one; undefined if unknown. */
  readonly grown: readonly Growth[] | undefined;
  readonly versions: readonly VersionTime[];
  readonly referenceMs: number;
  readonly newestMs: number;
  /** The newest version timed out, so the ratio is a lower bound. */
  readonly isCut: boolean;
  readonly ratio: number;
  readonly seeds:
    | { readonly slower: number; readonly tried: number; readonly robustness: string }
    | undefined;
}

export interface FindingGroup {
  /** For example `str.indexof with mod`. */
  readonly name: string;
  /** The newest version's highest counter, such as `seq-branch`. */
  readonly busy: DominantCounter | undefined;
  /** The smallest formula first. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** An earlier campaign between these versions found this kind. */
  readonly isKnown: boolean;
  /** All slowdowns of these kinds, confirmed or not. */
  readonly slowdowns: number;
}

export interface AnomalyRecord {
  /** As in its file name. */
  readonly id: number;
  readonly kind: EventOf<'oddity'>['kind'];
  readonly atMs: number;
  readonly text: string;
  readonly runs: Runs;
  /** For wrong models: the model and the number of its version. */
  readonly claim?: WrongModel | undefined;
}

/** A formula and the version that fails on it. Versions are numbers into `settings.versions`. */
export interface FailingCase {
  readonly anomaly: AnomalyRecord;
  readonly version: number;
  /** For disagreements: nothing proves which version is wrong, so the newest is suspected. */
  readonly isAssumed: boolean;
  /** Versions to compare with, the most trustworthy first. */
  readonly references: readonly number[];
}

/** A failure with its localization result. */
export interface AnomalyLocation extends FailingCase {
  /** The version whose coverage was analysed; undefined if none was. */
  readonly on: string | undefined;
  readonly result: LocatedResult | undefined;
}

export interface HuntData {
  readonly settings: HuntSettings;
  readonly elapsedMs: number;
  readonly tried: number;
  readonly slowdowns: number;
  /** When each slowdown was found. */
  readonly slowdownTimes: readonly number[];
  readonly refuted: number;
  /** Slowdowns that were not measured again. */
  readonly unconfirmed: number;
  readonly solvingMs: number;
  /** The solvers' share of processor time in wall time; below 1 on a busy machine, undefined if unmeasured. */
  readonly workedShare: number | undefined;
  readonly groups: readonly FindingGroup[];
  /** The most telling first. */
  readonly anomalies: readonly AnomalyRecord[];
  /** Localization results for the most telling anomalies. */
  readonly locations: readonly AnomalyLocation[];
  /** Cumulative counts over time. */
  readonly curve: readonly {
    readonly atMs: number;
    readonly slowdowns: number;
    readonly findings: number;
    readonly groups: number;
  }[];
  /** Times of formulas that ran on the newest and on an older version. */
  readonly scatter: readonly {
    readonly referenceMs: number;
    readonly newestMs: number;
    readonly isSlowdown: boolean;
  }[];
  readonly views: readonly EventOf<'view'>[];
}
