export { type Blamed, blamedFor, byCommit, byKind, sameText } from './causes.js';
export {
  type ComplexityData,
  complexityFindings,
  type MeasuredError,
  readErrors,
  type Subject,
  studyComplexity,
  thesisEnd,
} from './complexity.js';
export { complexityPage } from './complexity-page.js';
export {
  type CampaignResult,
  counted,
  type DetectionRow,
  detectionTable,
  runDetection,
} from './detection.js';
export { detectionPage } from './detection-page.js';
export { publishedNoise } from './noise.js';
export { publishedShares, robustnessShares } from './seeds.js';
