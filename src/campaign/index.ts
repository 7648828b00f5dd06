/**
 * The stored state of a long job: a folder with its settings, an append-only journal and its cases. The job can be
 * stopped at any time, resumed, reported on and shared.
 */

export { type CaseId, caseId, caseIdSchema, caseIds } from './case-id.js';
export { CampaignFolder } from './folder.js';
export { catchFullDisk, fullDiskFault } from './full-disk.js';
export { Journal, readJournal } from './journal.js';
export { measureFormulas } from './measure-formulas.js';
export { timeStampedFolder } from './time-stamped.js';
