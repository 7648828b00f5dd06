/** The papers' experiments, run again: a file for each table or figure, with what was published beside it. */

export { type BlamedCommits, blamedFor, byCommit, byKind, sameText } from './causes.js';
export {
  type ComplexityData,
  complexityDataJson,
  complexityFigures,
  type MeasuredError,
  readErrors,
  type Subject,
  studyComplexity,
  thesisEnd,
} from './complexity.js';
export { complexityPage } from './complexity-page.js';
export {
  type CampaignResult,
  countCampaigns,
  type DetectionRow,
  detectionTable,
  runDetection,
} from './detection.js';
export { detectionPage } from './detection-page.js';
export { publishedNoise } from './noise.js';
export { publishedShares, robustnessShares } from './seeds.js';
