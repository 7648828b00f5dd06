import { type CampaignFolder, readJournal } from '../campaign/index.js';
import { Fault } from '../machine/index.js';
import { parseEvent } from './events.js';
import { HuntCollector } from './hunt-collector.js';

/** What the journal of a campaign says so far. */
export async function collectJournal(folder: CampaignFolder): Promise<HuntCollector | Fault> {
  const collector = new HuntCollector();
  for await (const event of readJournal(folder.journalPath, parseEvent)) {
    if (event instanceof Fault) return event;
    collector.add(event);
  }
  return collector;
}
