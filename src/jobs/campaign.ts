/** A campaign's folder and its reports: read again, or hunted in and written. */

import { CampaignFolder, catchFullDisk } from '../campaign/index.js';
import {
  type Campaign,
  collectJournal,
  type Hunt,
  HuntCollector,
  type HuntData,
  type HuntEvent,
  type HuntReduction,
  type HuntSettings,
  rememberKinds,
  runLocally,
  settingsSchema,
} from '../hunt/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import { shellWord } from '../page/index.js';
import { huntHtml } from '../report/index.js';
import { huntMarkdown, huntWithDeclaredNames } from '../report/index.js';

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

export interface Hunted {
  readonly end: 'time' | 'interrupted';
  readonly data: HuntData;
}

export interface HuntWatch {
  readonly signal: AbortSignal;
  readonly onEvent: (event: HuntEvent, hunt: Hunt, collector: HuntCollector) => void;
  /** Told how far the reduction of a finding is, when the hunt is over. */
  readonly onReducing?: ((progress: HuntReduction) => void) | undefined;
}

/** Hunts until the time is up, remembers what was found for later campaigns, and writes the reports. */
export async function huntAndReport(
  campaign: Campaign,
  { signal, onEvent, onReducing }: HuntWatch,
): Promise<Hunted | Fault> {
  const { folder, settings } = campaign;
  return catchFullDisk(folder, resumeHunt(folder), async () => {
    const collector = new HuntCollector();
    const end = await runLocally({
      ...campaign,
      signal,
      resume: resumeHunt(folder),
      onReducing,
      onEvent: (event, hunt) => {
        collector.add(event);
        onEvent(event, hunt, collector);
      },
    });
    if (end instanceof Fault) return end;
    const data = collector.data(settings);
    const kinds = data.groups.map(({ findings: [smallest] }) => smallest.kind);
    await rememberKinds(settings.builds, kinds);
    await writeReports(folder, data);
    return { end, data };
  });
}

/** The command that resumes a hunt. */
export function resumeHunt({ path }: CampaignFolder): string {
  return `culprit hunt --resume ${shellWord(path)}`;
}

/** The command that makes the same search again, without solvers. */
export function replayHunt({ path }: CampaignFolder): string {
  return `culprit hunt --replay ${shellWord(path)}`;
}
