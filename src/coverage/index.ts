/** What a run executed: counters, tables of lines, comparisons. */

export { CoverageRunner } from './coverage-runner.js';
export { type Executed, growth, linesOf, type Whole, without } from './executed.js';
export { coverageFiles } from './native/coverage-files.js';
