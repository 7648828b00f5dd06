export { bisectionJson, bisectionReport, bisectionText, limitsOf } from './bisection/bisection.js';
export { bisectionHtml } from './bisection/bisection-page.js';
export { passingCulprits } from './bisection/passing.js';
export { standingJson, standingText } from './bisection/standing.js';
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
  comparedText,
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
export { huntWithDeclaredNames, locationWithDeclaredNames } from './declared-functions.js';
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
export { compareResults } from './runs/compare.js';
export { runsCsv } from './runs/csv.js';
export { type RunLines, type RunTable, runLines } from './runs/lines.js';
export { runsMarkdown } from './runs/markdown.js';
export { runNextSteps } from './runs/next-steps.js';
export { runNotes, runTotals } from './runs/notes.js';
export { runsHtml } from './runs/page.js';
export { type RunResult, runResult, runResultSchema } from './runs/result.js';
export { readRunResults } from './runs/results-file.js';
export { runNotices } from './runs/run-notices.js';
export { seedsLines } from './runs/seeds-table.js';
export { stabilityTable, unfinishedNotes } from './runs/stability-table.js';
export { codeOfLines, folderTexts } from './source/source-texts.js';
export { noiseText, thresholdText } from './threshold-text.js';
export { timelineHtml, timelineText } from './timeline/timeline.js';
export { holdsTimelines, readTimelines, timelineJson, timelineSchema } from './timeline/timeline-json.js';
