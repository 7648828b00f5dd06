export { CampaignError } from './campaign-error.js';
export { CampaignFolder } from './folder.js';
export { Journal, readJournal } from './journal.js';
