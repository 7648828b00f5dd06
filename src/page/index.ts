export { barsChart } from './charts/bars.js';
export { courseChart } from './charts/course.js';
export { type CubePoint, cubeChart } from './charts/cube.js';
export { distributionChart } from './charts/distribution.js';
export { endLabel } from './charts/label.js';
export { curvesChart, lineChart, mostSeries, type Series } from './charts/line-chart.js';
export { pointsChart } from './charts/points.js';
export { quantiles } from './charts/quantiles.js';
export { scatter } from './charts/scatter.js';
export { sharesChart } from './charts/shares.js';
export { type Box, type BoxKind, type Drawing, pictureOf, pictureOnPage } from './drawing/boxes.js';
export { hangingLine } from './fold.js';
export { commandBlock } from './html/command.js';
export { page } from './html/page.js';
export { barText, LeftWork, roughly, type StepState } from './left-work.js';
export { code, fenced, htmlCode, markdownTable } from './markdown-text.js';
export { html, Markup } from './markup.js';
export { annotation } from './notices/annotations.js';
export { baselineText, readBaseline } from './notices/baseline.js';
export type { Notice } from './notices/notice.js';
export { sarif } from './notices/sarif.js';
export {
  count,
  counted,
  dateText,
  day,
  dayText,
  duration,
  levelText,
  megabytes,
  percent,
  ratio,
} from './quantities.js';
export { shellWord } from './shell-word.js';
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
