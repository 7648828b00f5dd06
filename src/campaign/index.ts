export { CampaignError } from './campaign-error.js';
export { CampaignFolder } from './folder.js';
export { unlessDiskIsFull } from './full-disk.js';
export { Journal, readJournal } from './journal.js';
export { timeStampedFolder } from './time-stamped.js';
