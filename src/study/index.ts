/** The papers' experiments, run again: a file for each table or figure, with what was published beside it. */

export { studyComplexity } from './complexity.js';
export { complexityDataJson } from './complexity-figures.js';
export { complexityPage } from './complexity-page.js';
export { namedSubjects } from './complexity-subjects.js';
export { complexityStudyText } from './complexity-text.js';
export type { BegunCampaign, CampaignWatch } from './detection.js';
export { detectionJson } from './detection-json.js';
export { detectionPage } from './detection-page.js';
export { type DetectionStudy, studyDetection } from './detection-study.js';
export { detectionText } from './detection-text.js';
export { studyLocalization } from './localization.js';
export { localizationPage } from './localization-page.js';
export { localizationJson, localizationText } from './localization-text.js';
export { studyLocate } from './locate.js';
export { locateStudyJson, locateStudyText } from './locate-text.js';
export { bugsIn } from './located-bugs.js';
export { publishedVariants } from './multi-objective.js';
export { studyMultiObjective } from './multi-objective-study.js';
export { multiObjectiveJson, multiObjectiveText } from './multi-objective-text.js';
export { publishedNoise, publishedNoiseSize } from './noise.js';
export { readDetection } from './read-detection.js';
export { robustnessShares } from './seeds.js';
export { measureSeededCases } from './seeds-cases.js';
export { seedsPage } from './seeds-page.js';
export { robustnessesOf, seedsStudyText } from './seeds-text.js';
export { studyTriage } from './triage-study.js';
export { triageStudyText } from './triage-study-text.js';
