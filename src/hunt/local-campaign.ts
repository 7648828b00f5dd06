/** A campaign on the local machine. */

import { fullDiskFault } from '../campaign/index.js';
import { CoverageRunner } from '../coverage/index.js';
import { Fault } from '../machine/index.js';
import { openRunner, type Version } from '../solver/index.js';
import { SolverPerformer } from './performer.js';
import { type CampaignOptions, runCampaign } from './run-campaign.js';
import { strategies } from './strategies/index.js';

export interface LocalCampaign extends Omit<CampaignOptions, 'performer' | 'solvingMs' | 'now'> {
  readonly versions: readonly Version[];
  /** The command that resumes it, for messages. */
  readonly resume: string;
}

/** Starts the solvers, runs or resumes the campaign, and closes everything. */
export async function runLocally(campaign: LocalCampaign): Promise<'time' | 'interrupted' | Fault> {
  const { folder, settings, versions, signal, resume } = campaign;
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
    const solvingMs = () => runner.solvingMs + counting.solvingMs;
    return await runCampaign({ ...campaign, performer, solvingMs });
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
