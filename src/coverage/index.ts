/** Coverage of runs: counters, tables of lines, comparisons. */

export { type CalledFunction, CoverageRunner, checkCounting, scopeOf } from './coverage-runner.js';
export {
  type Executable,
  type Executed,
  executedLineCount,
  executedOnlyBy,
  type Growth,
  growth,
  totalsOf,
} from './executed.js';
export { grownWork } from './grown-work.js';
export { coverageFiles } from './native/coverage-files.js';
export {
  fileOf,
  lineOf,
  type PackedCounts,
  PackedLines,
  packedFromText,
  packedText,
  similarity,
} from './packed.js';
export type { PlaceNames } from './place-names.js';
export { type CountedBuild, countedBuild } from './user/counted-build.js';
export { readGcovFolder } from './user/gcov-folder.js';
export { readLlvmProfile } from './user/llvm-profile.js';
