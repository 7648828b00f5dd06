/** What a run executed: counters, tables of lines, comparisons. */

export { type CountedRun, CountingRunner, tableOf } from './counted-run.js';
export type { LineCounts } from './line-counts.js';
export { coverageFiles } from './native/coverage-files.js';
export { type PackedCounts, packed, similarity } from './packed.js';
export { CoverageTable } from './table.js';
