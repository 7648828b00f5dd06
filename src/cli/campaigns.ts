import { CampaignFolder } from '../campaign/folder.js';
import { JournalError, readJournal } from '../campaign/journal.js';
import { parseEvent } from '../hunt/events.js';
import { type HuntSettings, settingsSchema } from '../hunt/settings.js';
import { paperSlowness } from '../hunt/slowness.js';
import { HuntCollector, type HuntData } from '../report/hunt-data.js';
import { huntHtml } from '../report/hunt-html.js';
import { huntMarkdown } from '../report/hunt-markdown.js';
import { readCalibration } from '../solver/calibration-file.js';
import type { Version } from '../solver/version.js';
import { CommandFailure } from './failure.js';
import { orFail } from './versions.js';

/** A campaign as its files tell it. */
export async function readCampaign(
  path: string,
): Promise<{ readonly folder: CampaignFolder; readonly settings: HuntSettings; readonly data: HuntData }> {
  const { folder, settings } = orFail(await CampaignFolder.open(path, settingsSchema));
  const collector = new HuntCollector();
  try {
    for await (const event of readJournal(folder.journalPath, parseEvent)) collector.add(event);
  } catch (error) {
    if (error instanceof JournalError) throw new CommandFailure(2, error.message);
    // A campaign that was stopped before it began has no journal yet.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { folder, settings, data: collector.data(settings) };
}

/** The reports that stand in the campaign's own folder. */
export async function writeReports(folder: CampaignFolder, data: HuntData): Promise<void> {
  await folder.writeWhole('report.html', huntHtml(data, folder.path));
  await folder.writeWhole('report.md', huntMarkdown(data, folder.path));
}

/** What a name stood for: enough to notice that it stands for something else now. */
export function buildOf({ family, number, source, options }: Version): string {
  return `${family} ${number} ${source} ${JSON.stringify(options)}`;
}

const defaultTimeoutMs = 2000;

/** The rule of slowness a user asks for: a preset, a threshold of their own, or the machine's. */
export async function slownessFrom(options: {
  readonly preset?: 'paper';
  readonly threshold?: number;
  readonly timeout?: number;
}): Promise<HuntSettings['slowness']> {
  return {
    noise: await readCalibration(),
    timeoutMs: defaultTimeoutMs,
    ...(options.preset === 'paper' ? paperSlowness : {}),
    ...(options.threshold === undefined
      ? {}
      : { thresholdMs: options.threshold, timeoutMs: 2 * options.threshold }),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
  };
}
