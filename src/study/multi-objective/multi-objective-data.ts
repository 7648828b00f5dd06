/** What a study of MulStringFuzz's variants has come to. */

import type { LongRun, PopulationResult, PopulationRow } from './multi-objective.js';
import type { SizeRow } from './multi-objective-figures.js';

export interface MultiObjectiveStudy {
  readonly settings: {
    readonly culprit: string;
    readonly versions: readonly string[];
    readonly population: number;
    readonly repeats: number;
    readonly forMs: number;
    /** Undefined where no formula has been given a long time yet. */
    readonly longMs: number | undefined;
    readonly workers: number;
    readonly timeoutMs: number;
  };
  /** What the target counts. */
  readonly counts: 'lines' | 'functions';
  readonly rows: readonly PopulationRow[];
  readonly results: readonly PopulationResult[];
  /** Of the default variant, the smallest population first; none where nobody has asked for other sizes. */
  readonly sizes: readonly SizeRow[];
  readonly longRuns: ReadonlyMap<string, LongRun>;
  /** What is not as it seems. */
  readonly notes: readonly string[];
  /** Where it is kept, and its page; there is none before a campaign has ended. */
  readonly out: string;
  readonly page: string | undefined;
}
