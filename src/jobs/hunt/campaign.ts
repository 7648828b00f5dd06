/** A campaign's folder and its reports: read again, or hunted in and written. */

import { CampaignFolder } from '../../campaign/index.js';
import { collectJournal, type HuntData, type HuntSettings, settingsSchema } from '../../hunt/index.js';
import { Fault, type OnStep } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { huntHtml, huntMarkdown, huntWithDeclaredNames } from '../../report/index.js';

export interface ReadCampaign {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  readonly data: HuntData;
}

/** A campaign as its files tell it. */
export async function readCampaign(path: string, onRead?: OnStep): Promise<ReadCampaign | Fault> {
  const opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) return opened;
  const { folder, settings } = opened;
  const collector = await collectJournal(folder, settings, onRead);
  return collector instanceof Fault ? collector : { folder, settings, data: collector.data(settings) };
}

/** The reports that stand in the campaign's own folder. */
export async function writeReports(folder: CampaignFolder, data: HuntData): Promise<void> {
  const shown = await huntWithDeclaredNames(data);
  await folder.writeAtomically('report.html', huntHtml(shown, folder.path));
  await folder.writeAtomically('report.md', huntMarkdown(shown));
}

/** The command that resumes a hunt. */
export function resumeHunt({ path }: CampaignFolder): string {
  return `culprit hunt --resume ${shellWord(path)}`;
}

/** The command that makes the same search again, without solvers. */
export function replayHunt({ path }: CampaignFolder): string {
  return `culprit hunt --replay ${shellWord(path)}`;
}
