export { bisectionJson, bisectionReport, bisectionText, caseLimits } from './bisection/bisection.js';
export { bisectionHtml } from './bisection/bisection-page.js';
export { bisectionProgressJson, bisectionProgressText } from './bisection/bisection-progress.js';
export { temporaryChanges } from './bisection/temporary-changes.js';
export { trackerTexts } from './bisection/tracker.js';
export { dossiersJson, triageText } from './bisection/triage.js';
export {
  blameStep,
  locateCommand,
  pageStep,
  reduceStep,
  timelineNextSteps,
  timelineStep,
  trackerStep,
  triageStep,
  unnamedFormula,
} from './commands/next-steps.js';
export { changeGraph, isGraphFile } from './complexity/change-graph.js';
export { complexityNotices } from './complexity/change-notices.js';
export {
  aboveText,
  complexityJson,
  complexityText,
  detailsText,
  interactionsText,
  isAbove,
  mostComplex,
  notesText,
  shownChanges,
} from './complexity/complexity.js';
export { complexityMarkdown } from './complexity/complexity-markdown.js';
export { complexityHtml } from './complexity/complexity-page.js';
export {
  type ComparedView,
  type CoverageView,
  type CoveredBuild,
  type CoveredRun,
  comparisonHeading,
  coverageBuildJson,
  coverageJson,
  coverageRow,
  coverageTable,
  differenceText,
  lcov,
  mostCalledText,
} from './coverage/coverage.js';
export type { HeatSide, HeatSides } from './coverage/heat-map.js';
export { heatHtml } from './coverage/heat-page.js';
export { huntWithDemangledNames, locationWithDemangledNames } from './demangled-functions.js';
export { type ExplanationView, explanationJson, explanationText } from './explanation/explanation.js';
export { explanationMarkdown } from './explanation/explanation-markdown.js';
export { explanationHtml } from './explanation/explanation-page.js';
export { anomalyWord } from './hunt/anomaly-word.js';
export { huntHtml } from './hunt/hunt-html.js';
export { huntJson } from './hunt/hunt-json.js';
export { huntMarkdown } from './hunt/hunt-markdown.js';
export { huntNotices } from './hunt/hunt-notices.js';
export { huntSummary } from './hunt/hunt-summary.js';
export { type LocationView, locationJson, locationText } from './location/location.js';
export { locationHtml } from './location/location-page.js';
export { functionText, functionViews, programSizeText, sliceText } from './program/program.js';
export { compareResults } from './runs/compare-results.js';
export { runsCsv } from './runs/csv.js';
export { runsMarkdown } from './runs/markdown.js';
export { runNextSteps } from './runs/next-steps.js';
export { runNotes, runTotals } from './runs/notes.js';
export { type RunLines, type RunTable, runLines } from './runs/run-lines.js';
export { runNotices } from './runs/run-notices.js';
export { type RunResult, runResult, runResultSchema } from './runs/run-result.js';
export { runsHtml } from './runs/runs-page.js';
export { seedsLines } from './runs/seeds-table.js';
export { stabilityTable, unfinishedNotes } from './runs/stability-table.js';
export { noiseText, thresholdText } from './threshold-text.js';
export { type TimelineMeasure, timelineHtml, timelineText } from './timeline/timeline.js';
export { type NamedTimeline, timelineJson, timelineOf, timelineSchema } from './timeline/timeline-json.js';
