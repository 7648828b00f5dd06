/** What a bisection comes to. */

import type { CaseId } from '../../campaign/index.js';
import type { Verification } from './verification.js';

/** A commit at which a case became slower or quicker. */
export interface Culprit extends Verification {
  readonly case: CaseId;
  readonly commit: string;
  /** The commit before it that was looked at. */
  readonly before: string;
  /** Commits that may be to blame as well: they say nothing about the case. */
  readonly others: readonly string[];
  readonly direction: 'slower' | 'quicker';
  /** The merge that brought it in, if it is not on the line itself. */
  readonly merge?: string | undefined;
  /** What optimised builds say, where effort was compared and that was asked for. */
  readonly byTime?: ByTime | undefined;
}

/** What the times of optimised builds say of a culprit. */
export type ByTime =
  | {
      readonly kind: 'measured';
      /** Medians, in milliseconds of processor time. */
      readonly beforeMs: number;
      readonly afterMs: number;
      /** What a run counts that did not come to its end. */
      readonly limitMs: number;
      /** The difference is there by time, too. */
      readonly holds: boolean;
    }
  | { readonly kind: 'silent'; readonly why: string };

/** How slow a case is. */
export interface Level {
  readonly level: number;
  readonly effort?: number | undefined;
}

export interface Bisection {
  readonly culprits: readonly Culprit[];
  /** Commits that were looked at, and those of them that were built for it. */
  readonly looked: number;
  readonly built: number;
  readonly failed: readonly { readonly commit: string; readonly why: string }[];
  /** How slow each case is at the good commit and at the bad one, as far as it says. */
  readonly ends: readonly { readonly good?: Level | undefined; readonly bad?: Level | undefined }[];
  /** Cases no commit was found for, and why. */
  readonly without: readonly { readonly case: CaseId; readonly why: string }[];
}
