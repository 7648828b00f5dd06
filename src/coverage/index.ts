/** What a run executed: counters, tables of lines, comparisons. */

export { CoverageRunner, whyNotCounting } from './coverage-runner.js';
export { type Executed, type Growth, growth, linesOf, type Whole, without } from './executed.js';
export { coverageFiles } from './native/coverage-files.js';
export {
  fileOf,
  type PackedCounts,
  PackedLines,
  packedFromText,
  packedText,
  similarity,
} from './packed.js';
