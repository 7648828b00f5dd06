import { type CampaignFolder, readJournal } from '../campaign/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import { eventReader } from './event-reader.js';
import { HuntCollector } from './hunt-collector.js';
import type { HuntSettings } from './settings.js';

/** The formula of every slowdown, as the search found it, before shrinking. */
export async function originalSlowdowns(
  folder: CampaignFolder,
  settings: HuntSettings,
): Promise<readonly string[] | Fault> {
  const texts: string[] = [];
  for await (const event of readJournal(folder.journalPath, eventReader(settings))) {
    if (event instanceof Fault) return event;
    if (event.event === 'slowdown') texts.push(event.original ?? event.text);
  }
  return texts;
}

/** How long a campaign has run, including confirmation and reduction after its time limit. */
export async function elapsedIn(folder: CampaignFolder, settings: HuntSettings): Promise<number | Fault> {
  let elapsedMs = 0;
  for await (const event of readJournal(folder.journalPath, eventReader(settings))) {
    if (event instanceof Fault) return event;
    elapsedMs = Math.max(elapsedMs, event.at);
  }
  return elapsedMs;
}

export async function collectJournal(
  folder: CampaignFolder,
  settings: HuntSettings,
  onRead?: OnStep,
): Promise<HuntCollector | Fault> {
  const collector = new HuntCollector();
  for await (const event of readJournal(folder.journalPath, eventReader(settings), onRead)) {
    if (event instanceof Fault) return event;
    collector.add(event);
  }
  return collector;
}
