/** The result of a study of MulStringFuzz's variants. */

import type { LongRun, PopulationResult, PopulationRow } from './multi-objective.js';
import type { SizeRow } from './multi-objective-figures.js';

export interface MultiObjectiveStudy {
  readonly settings: {
    readonly culprit: string;
    readonly versions: readonly string[];
    readonly population: number;
    readonly repeats: number;
    readonly forMs: number;
    /** Undefined before the first long run. */
    readonly longMs: number | undefined;
    readonly workers: number;
    readonly timeoutMs: number;
  };
  /** The unit of the target's coverage. */
  readonly counts: 'lines' | 'functions';
  readonly rows: readonly PopulationRow[];
  readonly results: readonly PopulationResult[];
  /** Sizes of the default variant's population, the smallest first; empty if no other sizes were requested. */
  readonly sizes: readonly SizeRow[];
  readonly longRuns: ReadonlyMap<string, LongRun>;
  readonly notes: readonly string[];
  /** The study's folder, and its page; there is no page before a campaign has ended. */
  readonly out: string;
  readonly page: string | undefined;
}
