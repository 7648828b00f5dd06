import { CampaignFolder } from '../campaign/index.js';
import {
  type Bisection,
  type BisectSettings,
  bisectionFolder,
  bisectSettingsSchema,
  type Dossier,
  dossiers,
  readBisection,
} from '../history/index.js';
import { Repository } from '../repository/index.js';
import { orFail } from './versions.js';

/** A finished bisection with everything known about its culprits. */
export interface Finished {
  readonly settings: BisectSettings;
  readonly bisection: Bisection;
  readonly repository: Repository;
  readonly dossiers: readonly Dossier[];
}

/** What a folder of `culprit bisect` holds, or of `culprit blame`. */
export async function readBisectionAt(path: string): Promise<Pick<Finished, 'settings' | 'bisection'>> {
  const folder = (await CampaignFolder.jobAt(path)) === 'blame' ? bisectionFolder(path) : path;
  const { settings } = orFail(await CampaignFolder.open(folder, bisectSettingsSchema, 'bisect'));
  return { settings, bisection: orFail(await readBisection(folder)) };
}

/** The same, with the commits it names read from the repository. */
export async function finishedBisection(path: string, signal: AbortSignal): Promise<Finished> {
  const { settings, bisection } = await readBisectionAt(path);
  const repository = orFail(await Repository.open(settings.repository, signal));
  const found = orFail(await dossiers(bisection, repository, settings.bad, signal));
  return { settings, bisection, repository, dossiers: found };
}
