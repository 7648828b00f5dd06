/** Reads a campaign's folder and writes its reports. */

import { CampaignFolder } from '../../campaign/index.js';
import { collectJournal, type HuntData, type HuntSettings, settingsSchema } from '../../hunt/index.js';
import { Fault, type OnStep } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { huntHtml, huntMarkdown, huntWithDemangledNames } from '../../report/index.js';

export interface ReadCampaign {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  readonly data: HuntData;
}

/** Whether a folder holds the files of a long job. */
export function isCampaign(path: string): boolean {
  return CampaignFolder.isAt(path);
}

/** A campaign as its files describe it. */
export async function readCampaign(path: string, onRead?: OnStep): Promise<ReadCampaign | Fault> {
  const opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) return opened;
  const { folder, settings } = opened;
  const collector = await collectJournal(folder, settings, onRead);
  return collector instanceof Fault ? collector : { folder, settings, data: collector.data(settings) };
}

/** Writes the reports in the campaign's folder. */
export async function writeReports(folder: CampaignFolder, data: HuntData): Promise<void> {
  const shown = await huntWithDemangledNames(data);
  await folder.writeAtomically('report.html', huntHtml(shown, folder.path));
  await folder.writeAtomically('report.md', huntMarkdown(shown));
}

/** The command that resumes a hunt. */
export function resumeHunt({ path }: CampaignFolder): string {
  return `culprit hunt --resume ${shellWord(path)}`;
}

/** The command that repeats the search without solvers. */
export function replayHunt({ path }: CampaignFolder): string {
  return `culprit hunt --replay ${shellWord(path)}`;
}
