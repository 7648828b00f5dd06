/** The main job: hunts for slowdowns, ranks files for anomalies, and writes the reports. */

import { catchFullDisk } from '../../campaign/index.js';
import {
  type Campaign,
  type Hunt,
  HuntCollector,
  type HuntData,
  type HuntEvent,
  type HuntReduction,
  rememberKinds,
  runLocally,
} from '../../hunt/index.js';
import { Fault } from '../../machine/index.js';
import type { JobWatch } from '../job.js';
import { resumeHunt, writeReports } from './campaign.js';
import { type LocateChoice, locateAnomalies } from './locate-anomalies.js';

export interface HuntWatch extends JobWatch {
  readonly onEvent: (event: HuntEvent, hunt: Hunt, collector: HuntCollector) => void;
  /** Progress of the reductions after the hunt. */
  readonly onReducing?: ((progress: HuntReduction) => void) | undefined;
  /** Called after the search and the reductions, before files are ranked. */
  readonly onSearched?: (() => void) | undefined;
}

export interface Hunted {
  readonly end: 'time' | 'interrupted';
  readonly data: HuntData;
}

export async function hunt(
  campaign: Campaign,
  choice: LocateChoice,
  watch: HuntWatch,
): Promise<Hunted | Fault> {
  const hunted = await search(campaign, watch);
  watch.onSearched?.();
  if (hunted instanceof Fault || hunted.end !== 'time') return hunted;
  const located = await locateAnomalies(campaign, hunted.data, choice, watch);
  if (!(located instanceof Fault)) return { ...hunted, data: located };
  // A hunt is reported even if no files can be ranked.
  watch.onWarning?.(`no files are named: ${located.message}`);
  return hunted;
}

/** Hunts until the time is up, remembers the kinds for later campaigns, and writes the reports. */
export async function search(
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
      onEvent: (event, state) => {
        collector.add(event);
        onEvent(event, state, collector);
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
