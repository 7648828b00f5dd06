export { bisectionJson, bisectionReport, bisectionText, limitsOf } from './bisection.js';
export { bisectionHtml } from './bisection-page.js';
export { huntAndReport, readCampaign, replayHunt, resumeHunt, writeReports } from './campaign.js';
export { changeGraph, isGraphFile } from './change-graph.js';
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
} from './complexity.js';
export { complexityMarkdown } from './complexity-markdown.js';
export { complexityHtml } from './complexity-page.js';
export { type Confirmation, type ConfirmCase, confirmCampaign } from './confirm-campaign.js';
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
} from './coverage.js';
export { culpritQuestion } from './culprit-explanation.js';
export { type ExplanationView, explanationJson, explanationText } from './explanation.js';
export { explanationMarkdown } from './explanation-markdown.js';
export { explanationHtml } from './explanation-page.js';
export type { HeatSide, HeatSides } from './heat/heat-map.js';
export { heatHtml } from './heat-page.js';
export { huntHtml } from './hunt-html.js';
export { huntJson } from './hunt-json.js';
export { huntMarkdown } from './hunt-markdown.js';
export { huntSummary } from './hunt-summary.js';
export { barText, LeftWork, roughly, type StepState } from './left-work.js';
export { locateOddities, type OddityLocator } from './locate-oddities.js';
export { type LocationView, locationJson, locationText } from './location.js';
export { locationHtml } from './location-page.js';
export { html, Markup } from './markup.js';
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
} from './next-steps.js';
export { annotation } from './notices/annotations.js';
export { baselineText, readBaseline } from './notices/baseline.js';
export type { Notice } from './notices/notice.js';
export { complexityNotices } from './notices/of-changes.js';
export { huntNotices } from './notices/of-hunt.js';
export { runNotices } from './notices/of-runs.js';
export { sarif } from './notices/sarif.js';
export { page } from './page/shell.js';
export { passingCulprits } from './passing.js';
export { functionText, functionViews, programSizeText, sliceText } from './program.js';
export {
  count,
  counted,
  dateText,
  duration,
  megabytes,
  noiseText,
  ratio,
  thresholdText,
} from './quantities.js';
export { compareResults } from './runs/compare.js';
export { runsCsv } from './runs/csv.js';
export { type RunLines, type RunTable, runLines } from './runs/lines.js';
export { runsMarkdown } from './runs/markdown.js';
export { runNextSteps } from './runs/next-steps.js';
export { runNotes, runTotals } from './runs/notes.js';
export { runsHtml } from './runs/page.js';
export { type RunResult, runResult, runResultSchema } from './runs/result.js';
export { readRunResults } from './runs/results-file.js';
export { seedsLines } from './seeds-table.js';
export { shellWord } from './shell-word.js';
export { codeOfLines, folderTexts } from './source-texts.js';
export { stabilityTable, unfinishedNotes } from './stability-table.js';
export { standingJson, standingText } from './standing.js';
export { barsChart } from './svg/bars.js';
export { courseChart } from './svg/course.js';
export { type CubePoint, cubeChart } from './svg/cube.js';
export { distributionChart } from './svg/distribution.js';
export { curvesChart, lineChart } from './svg/line-chart.js';
export { pointsChart } from './svg/points.js';
export { sharesChart } from './svg/shares.js';
export { type Column, table } from './table.js';
export { timelineHtml, timelineText } from './timeline.js';
export { holdsTimelines, readTimelines, timelineJson, timelineSchema } from './timeline-json.js';
export { trackerTexts } from './tracker.js';
export { dossiersJson, triageText } from './triage.js';
