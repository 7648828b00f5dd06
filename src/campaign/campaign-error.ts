/** A campaign's files are not what they should be; the message is one sentence that says which and what next. */
export class CampaignError extends Error {
  override readonly name = 'CampaignError';
}
