/** The folder of a bisection, alone or within that of `culprit blame`, and the repository it is about. */

import { repositoryRunnable } from '../../builds/index.js';
import { CampaignFolder } from '../../campaign/index.js';
import { bisectionFolder } from '../../jobs/index.js';
import type { Allow, Fault } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import { type BisectSettings, bisectSettingsSchema } from './settings.js';

export interface OpenedBisection {
  readonly folder: CampaignFolder;
  readonly settings: BisectSettings;
}

export async function openBisection(path: string): Promise<OpenedBisection | Fault> {
  const own = (await CampaignFolder.jobAt(path)) === 'blame' ? bisectionFolder(path) : path;
  return CampaignFolder.open(own, bisectSettingsSchema, 'bisect');
}

/** @param allow asked whether it may be looked into: somebody else may have written where it is */
export async function repositoryOf(
  { repository }: BisectSettings,
  allow: Allow,
  signal: AbortSignal,
): Promise<Repository | Fault> {
  const denied = await allow([repositoryRunnable(repository)]);
  return denied ?? Repository.open(repository, signal);
}
