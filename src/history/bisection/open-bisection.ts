/** Opens the folder of a bisection, which may lie in the folder of a `culprit blame`. */

import { join } from 'node:path';
import { repositoryRunnable } from '../../builds/index.js';
import { CampaignFolder } from '../../campaign/index.js';
import type { Allow, Fault } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import { type BisectSettings, bisectSettingsSchema } from './settings.js';

export interface OpenedBisection {
  readonly folder: CampaignFolder;
  readonly settings: BisectSettings;
}

/** The folder of the bisection within the folder of a `culprit blame`. */
export function bisectionFolder(blameFolder: string): string {
  return join(blameFolder, 'bisection');
}

export async function openBisection(path: string): Promise<OpenedBisection | Fault> {
  const own = (await CampaignFolder.jobAt(path)) === 'blame' ? bisectionFolder(path) : path;
  return CampaignFolder.open(own, bisectSettingsSchema, 'bisect');
}

/** @param allow decides whether the repository may be read: its path may come from a stranger */
export async function repositoryOf(
  { repository }: BisectSettings,
  allow: Allow,
  signal: AbortSignal,
): Promise<Repository | Fault> {
  const denied = await allow([repositoryRunnable(repository)]);
  return denied ?? Repository.open(repository, signal);
}
