/** The result of a bisection. */

import type { CaseId } from '../../campaign/index.js';
import type { Verification } from './verification.js';

/** A commit at which a case became slower or quicker. */
export interface Culprit extends Verification {
  readonly case: CaseId;
  readonly commit: string;
  /** The tested commit before it. */
  readonly before: string;
  /** Commits that may be to blame instead: the case cannot be measured on them. */
  readonly others: readonly string[];
  readonly direction: 'slower' | 'quicker';
  /** The merge that brought it in, if it is not on the line itself. */
  readonly merge?: string | undefined;
  /** The result of optimised builds, if effort was compared and `--verify` was given. */
  readonly byTime?: ByTime | undefined;
}

/** The times of a culprit on optimised builds. */
export type ByTime =
  | {
      readonly kind: 'measured';
      /** Medians, in milliseconds of processor time. */
      readonly beforeMs: number;
      readonly afterMs: number;
      /** The time that counts for a run that was ended at the limit. */
      readonly limitMs: number;
      /** The times confirm the difference. */
      readonly holds: boolean;
    }
  | { readonly kind: 'silent'; readonly why: string };

export interface Level {
  readonly level: number;
  readonly effort?: number | undefined;
}

export interface Bisection {
  readonly culprits: readonly Culprit[];
  /** The number of tested commits, and how many of them had to be built. */
  readonly looked: number;
  readonly built: number;
  readonly failed: readonly { readonly commit: string; readonly why: string }[];
  /** How slow each case is at the good commit and at the bad one, as far as it says. */
  readonly ends: readonly { readonly good?: Level | undefined; readonly bad?: Level | undefined }[];
  /** Cases no commit was found for, and why. */
  readonly without: readonly { readonly case: CaseId; readonly why: string }[];
}
