export { barsChart } from './charts/bars.js';
export { cactusPlot } from './charts/cactus-plot.js';
export { type CubePoint, cubeChart } from './charts/cube.js';
export { distributionChart } from './charts/distribution.js';
export { endLabel } from './charts/label.js';
export { curvesChart, lineChart, mostSeries, type Series } from './charts/line-chart.js';
export { pointsChart } from './charts/points.js';
export { scatter } from './charts/scatter.js';
export { sharesChart } from './charts/shares.js';
export { timelineChart } from './charts/timeline-chart.js';
export { type Box, type BoxKind, type Drawing, inlineSvg, svgFile } from './drawing/boxes.js';
export { commandBlock } from './html/command.js';
export { page } from './html/page.js';
export { settingsTable } from './html/settings-table.js';
export { code, fenced, htmlCode, markdownTable } from './markdown-text.js';
export { html, Markup } from './markup.js';
export { annotation } from './notices/annotations.js';
export { baselineText, readBaseline } from './notices/baseline.js';
export type { Notice } from './notices/notice.js';
export { sarif } from './notices/sarif.js';
export {
  count,
  counted,
  day,
  dayText,
  duration,
  isoDate,
  levelText,
  megabytes,
  percent,
  ratio,
} from './quantities.js';
export { shellWord } from './shell-word.js';
export { progressBar, roughDuration, StepProgress, type StepState } from './step-progress.js';
export {
  type Column,
  commonFolder,
  naturalWidth,
  table,
  tableLines,
  tableParts,
  tableWidth,
} from './table.js';
export { shortened, width } from './text-width.js';
export { hangingIndent } from './wrap.js';
