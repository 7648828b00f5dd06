export { readCampaign, huntAndReport, replayHunt, resumeHunt } from './campaign.js';
export { blameFolder, blameFolderIn, whyNotBlamed, type BegunBlame, type BlameRequest, beginBlame } from './blame/begin-blame.js';
export { type Confirmation, confirmCampaign } from './confirm-campaign.js';
export { culpritQuestion } from './blame/culprit-question.js';
export { type FailingFormula, NothingSlower } from './blame/failing-formula.js';
export { editedAt, ordinaryFolder, suspectsOf } from './locate-caches.js';
export { blame, bisectionFolder } from './blame/blame.js';
export { locateOddities } from './locate-anomalies.js';
