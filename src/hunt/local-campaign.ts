/** A campaign on the local machine. */

import { type CampaignFolder, fullDiskFault } from '../campaign/index.js';
import { CoverageRunner } from '../coverage/index.js';
import { Fault } from '../machine/index.js';
import { openRunner, type Version } from '../solver/index.js';
import type { HuntEvent } from './events.js';
import type { Hunt } from './hunt.js';
import { SolverPerformer } from './performer.js';
import type { HuntReduction } from './reduce-findings.js';
import { runCampaign } from './run-campaign.js';
import type { HuntSettings } from './settings.js';
import { strategies } from './strategies/index.js';

export interface LocalCampaign {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  readonly versions: readonly Version[];
  readonly signal: AbortSignal;
  /** The command that resumes it, for messages. */
  readonly resume: string;
  readonly onEvent?: ((event: HuntEvent, hunt: Hunt) => void) | undefined;
  readonly onReducing?: ((progress: HuntReduction) => void) | undefined;
}

/** Starts the solvers, runs or resumes the campaign, and closes everything. */
export async function runLocally(campaign: LocalCampaign): Promise<'time' | 'interrupted' | Fault> {
  const { folder, settings, versions, signal, resume, onEvent, onReducing } = campaign;
  const unlock = await folder.lock();
  if (unlock instanceof Fault) return unlock;
  const runner = openRunner({ workers: settings.workers });
  const newest = versions.slice(-1);
  let coverage: CoverageRunner | Fault | undefined;
  try {
    const isCounting = settings.isCounting ?? strategies[settings.strategy].isCounting ?? false;
    coverage = await CoverageRunner.open(isCounting ? newest : [], settings.workers);
    if (coverage instanceof Fault) return coverage;
    const { slowness, memoryBytes } = settings;
    const counting = coverage;
    const performer = new SolverPerformer(runner, versions, slowness, memoryBytes, counting, isCounting);
    await runner.prepare(versions, signal);
    await coverage.prepare(newest, signal);
    return await runCampaign({
      folder,
      settings,
      performer,
      solvingMs: () => runner.solvingMs + counting.solvingMs,
      signal,
      onEvent,
      onReducing,
    });
  } catch (error) {
    const full = fullDiskFault(error, folder.path, resume);
    if (full === undefined) throw error;
    return full;
  } finally {
    if (!(coverage instanceof Fault)) await coverage?.close();
    await runner.close();
    await unlock();
  }
}
