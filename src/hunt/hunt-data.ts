/** What a campaign found, in the form every report is made of. */

import type { CaseId } from '../campaign/index.js';
import type { Growth } from '../coverage/index.js';
import type { Outcome, Runs, WorkCounts } from '../solver/index.js';
import type { EventOf, WrongModel } from './events.js';
import type { Busy, Kind } from './kind.js';
import type { LocatedResult } from './located.js';
import type { HuntSettings } from './settings.js';

/** One version's part in a finding. */
export interface VersionTime {
  readonly version: string;
  readonly outcome: Outcome;
  readonly medianMs: number;
  readonly effort: number | undefined;
  readonly runs: number;
}

/** A slowdown that held when it was measured again. */
export interface Finding {
  /** The number of its slowdown, which names its file. */
  readonly id: CaseId;
  /** When the search met it. */
  readonly foundAtMs: number;
  /** When it was confirmed. */
  readonly atMs: number;
  readonly text: string;
  readonly original: string | undefined;
  /** The full reducer has made it as small as can be: no single step makes it smaller. */
  readonly isMinimal: boolean;
  readonly by: string;
  readonly kind: Kind;
  /** What the newest version was busy with when its time was over; undefined where it does not tell. */
  readonly work: WorkCounts | undefined;
  /** The functions the newest version calls more often than the quickest other; undefined where that is not known. */
  readonly grown: readonly Growth[] | undefined;
  readonly versions: readonly VersionTime[];
  readonly referenceMs: number;
  readonly newestMs: number;
  /** The newest version did not end in time: the ratio is at least this. */
  readonly isCut: boolean;
  readonly ratio: number;
  readonly seeds:
    | { readonly slower: number; readonly tried: number; readonly robustness: string }
    | undefined;
}

export interface FindingGroup {
  /** Such as `str.indexof with mod`. */
  readonly name: string;
  /** What the newest version was busiest with on them, such as `seq-branch`. */
  readonly busy: Busy | undefined;
  /** The smallest formula first. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** An earlier campaign between these versions found it already. */
  readonly isKnown: boolean;
  /** Slowdowns that are blamed on the same, whether or not they were confirmed. */
  readonly slowdowns: number;
}

export interface AnomalyRecord {
  /** Its number, which names its file. */
  readonly id: number;
  readonly kind: EventOf<'oddity'>['kind'];
  readonly atMs: number;
  readonly text: string;
  readonly runs: Runs;
  /** Of a wrong model: what it says, and the number of the version whose it is. */
  readonly claim?: WrongModel | undefined;
}

/** A formula, and the version that does something wrong with it; versions go by their places among all. */
export interface FailingCase {
  readonly anomaly: AnomalyRecord;
  readonly version: number;
  /** Of a disagreement: nothing shows who is wrong, and the newest of them is suspected. */
  readonly isAssumed: boolean;
  /** What it is held against, the one to be believed first. */
  readonly references: readonly number[];
}

/** A failure, and the files that it likely comes from. */
export interface AnomalyLocation extends FailingCase {
  /** The version that was looked into; undefined as long as none was. */
  readonly on: string | undefined;
  readonly result: LocatedResult | undefined;
}

export interface HuntData {
  readonly settings: HuntSettings;
  readonly elapsedMs: number;
  readonly tried: number;
  readonly slowdowns: number;
  /** When each of them was met. */
  readonly slowdownTimes: readonly number[];
  readonly refuted: number;
  /** Slowdowns nobody has looked at again. */
  readonly unconfirmed: number;
  readonly solvingMs: number;
  /** How much of the time on the clock solvers got to work, where they tell; less than all on a machine that is busy. */
  readonly workedShare: number | undefined;
  readonly groups: readonly FindingGroup[];
  /** Those that say the most first. */
  readonly anomalies: readonly AnomalyRecord[];
  /** Of the worst of them, the files to look at. */
  readonly locations: readonly AnomalyLocation[];
  /** How much was found by when. */
  readonly curve: readonly {
    readonly atMs: number;
    readonly slowdowns: number;
    readonly findings: number;
    readonly groups: number;
  }[];
  /** Times of formulas that ran on the newest and on another version. */
  readonly scatter: readonly {
    readonly referenceMs: number;
    readonly newestMs: number;
    readonly isSlowdown: boolean;
  }[];
  readonly views: readonly EventOf<'view'>[];
}
