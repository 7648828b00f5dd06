/**
 * What a long run leaves on disk: a folder with its settings, an append-only journal and its cases. It can be stopped at
 * any instant, resumed, reported on and shared.
 */

export { type CaseId, caseId, caseIdSchema, caseIds } from './case-id.js';
export { CampaignFolder } from './folder.js';
export { fullDiskFault, unlessDiskIsFull } from './full-disk.js';
export { Journal, readJournal } from './journal.js';
export { keptResults } from './kept-results.js';
export { timeStampedFolder } from './time-stamped.js';
