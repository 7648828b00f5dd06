export { bisectionJson, bisectionText } from './bisection.js';
export { changeGraphDot, changeGraphSvg } from './change-graph.js';
export { comparisonJson, comparisonNotes, comparisonTable, type FormulaReport } from './comparison.js';
export {
  complexityJson,
  complexityText,
  detailsText,
  interactionsText,
  type NamedChange,
} from './complexity.js';
export { huntHtml } from './hunt-html.js';
export { huntMarkdown } from './hunt-markdown.js';
export { counted, huntSummary } from './hunt-summary.js';
export { html, Markup } from './markup.js';
export { page } from './page/shell.js';
export { functionText, functionView, programSizeText, sliceText } from './program.js';
export { count, duration, megabytes, ratio } from './quantities.js';
export { shellWord } from './shell-word.js';
export { stabilityTable } from './stability-table.js';
export { distributionChart } from './svg/distribution.js';
export { lineChart } from './svg/line-chart.js';
export { pointsChart } from './svg/points.js';
export { type Column, table } from './table.js';
export { timelineHtml, timelineJson, timelineText } from './timeline.js';
export { trackerText } from './tracker.js';
export { dossiersJson, triageText } from './triage.js';
export { visible, visibleLine } from './visible.js';
