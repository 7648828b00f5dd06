import { CampaignFolder } from '../campaign/index.js';
import { collectJournal, type HuntData, type HuntSettings, settingsSchema } from '../hunt/index.js';
import { huntHtml, huntMarkdown } from '../report/index.js';
import type { Version } from '../solver/index.js';
import { orFail } from './versions.js';

/** A campaign as its files tell it. */
export async function readCampaign(
  path: string,
): Promise<{ readonly folder: CampaignFolder; readonly settings: HuntSettings; readonly data: HuntData }> {
  const { folder, settings } = orFail(await CampaignFolder.open(path, settingsSchema));
  const collector = orFail(await collectJournal(folder));
  return { folder, settings, data: collector.data(settings) };
}

/** The reports that stand in the campaign's own folder. */
export async function writeReports(folder: CampaignFolder, data: HuntData): Promise<void> {
  await folder.writeWhole('report.html', huntHtml(data, folder.path));
  await folder.writeWhole('report.md', huntMarkdown(data, folder.path));
}

/** What a name stood for: enough to notice that it stands for something else now. */
export function buildOf({ family, number, source, options, program }: Version): string {
  // Commits of one release all bear its number; where they are kept tells them apart.
  const which = source === 'git' && program.kind === 'native' ? ` ${program.command.join(' ')}` : '';
  return `${family} ${number} ${source}${which} ${JSON.stringify(options)}`;
}
