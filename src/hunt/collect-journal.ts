import { type CampaignFolder, readJournal } from '../campaign/index.js';
import { Fault } from '../machine/index.js';
import { eventReader } from './event-reader.js';
import { HuntCollector } from './hunt-collector.js';
import type { HuntSettings } from './settings.js';

/** What the journal of a campaign says so far. */
export async function collectJournal(
  folder: CampaignFolder,
  settings: HuntSettings,
): Promise<HuntCollector | Fault> {
  const collector = new HuntCollector();
  for await (const event of readJournal(folder.journalPath, eventReader(settings))) {
    if (event instanceof Fault) return event;
    collector.add(event);
  }
  return collector;
}
