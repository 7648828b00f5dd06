/** Runs slow formulas under other random seeds: the findings of a campaign, or any formulas on named versions. */

import { Journal } from '../../campaign/index.js';
import { caseName, storedFormula } from '../../hunt/index.js';
import { type Allow, Fault, forEachConcurrent, usageFault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import {
  askedSlowness,
  confirmUnderSeeds,
  openRunner,
  type SeedVerdict,
  type Slowness,
  type SlownessRequest,
  type Version,
} from '../../solver/index.js';
import type { JobWatch } from '../job.js';
import { versionsAgain, versionsOf } from '../versions.js';
import { readCampaign, writeReports } from './campaign.js';

/** A formula to confirm, and the place for its verdict. */
interface ConfirmCase {
  readonly name: string;
  readonly formula: Script;
  readonly store: (verdict: SeedVerdict) => void;
}

/** The formulas, versions and rule of one confirmation. */
export interface Confirmation {
  readonly cases: readonly ConfirmCase[];
  readonly versions: readonly Version[];
  readonly slowness: Slowness;
  /** Must be called at the end, even after a failure. */
  readonly close: () => Promise<void>;
}

export interface ConfirmRequest {
  readonly seeds: readonly number[];
  readonly workers: number;
  readonly memoryBytes: number;
  /** Runs every seed, even if the class is certain before. */
  readonly isThorough: boolean;
}

export interface ConfirmWatch extends JobWatch {
  /** Called after each formula. */
  readonly onResult: (name: string, verdict: SeedVerdict) => void;
  /** Called after each seed with the seeds done so far of this formula. */
  readonly onSeed?: (name: string, seeds: number, seed: number) => void;
  readonly onReady?: () => void;
}

/** Confirms every case and returns how many were completed before the end or the abort. */
export async function confirm(
  { cases, versions, slowness, close }: Confirmation,
  { seeds, workers, memoryBytes, isThorough }: ConfirmRequest,
  { signal, onResult, onSeed, onReady }: ConfirmWatch,
): Promise<number> {
  const runner = openRunner({ workers });
  let done = 0;
  try {
    await runner.prepare(versions, signal);
    onReady?.();
    await forEachConcurrent(cases, workers, async ({ name, formula, store }) => {
      let count = 0;
      const verdict = await confirmUnderSeeds(runner, formula, versions, {
        slowness,
        seeds,
        memoryBytes,
        signal,
        isThorough,
        onSeed: (seed) => onSeed?.(name, ++count, seed),
      });
      store(verdict);
      done++;
      onResult(name, verdict);
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await runner.close();
    await close();
  }
  return done;
}

/** Any formulas on the versions of a list. Their verdicts are only reported. */
export async function confirmFormulas(
  formulas: readonly { readonly name: string; readonly formula: Script }[],
  list: string,
  slowness: SlownessRequest,
  watch: JobWatch,
): Promise<Confirmation | Fault> {
  const versions = await versionsOf(list, watch);
  if (versions instanceof Fault) return versions;
  if (versions.length < 2) return usageFault('name at least two versions to compare: --on OLD,NEW');
  return {
    cases: formulas.map((formula) => ({ ...formula, store: () => {} })),
    versions,
    slowness: await askedSlowness(slowness),
    close: async () => {},
  };
}

/** Every finding of a campaign. Verdicts go into its journal, and its reports are written again at the end. */
export async function confirmCampaign(
  path: string,
  allow: Allow,
  watch: JobWatch,
): Promise<Confirmation | Fault> {
  const campaign = await readCampaign(path, watch.onStep);
  if (campaign instanceof Fault) return campaign;
  const { folder, settings, data } = campaign;
  const { slowness } = settings;
  const findings = data.groups.flatMap((group) => group.findings);
  // Without findings no version needs to be installed, and nothing is written.
  if (findings.length === 0) return { cases: [], versions: [], slowness, close: async () => {} };
  const cases: ConfirmCase[] = [];
  for (const { id, text } of findings) {
    const formula = storedFormula(text);
    if (formula instanceof Fault) return formula;
    const store = ({ slower, tried, robustness }: SeedVerdict): void =>
      journal.append({ event: 'seeds', at: data.elapsedMs, slowdown: id, slower, tried, robustness });
    cases.push({ name: caseName(id), formula, store });
  }
  const versions = await versionsAgain(settings.versions, allow, watch);
  if (versions instanceof Fault) return versions;
  const unlock = await folder.lock();
  if (unlock instanceof Fault) return unlock;
  const opened = Journal.open(folder.journalPath);
  if (opened instanceof Fault) {
    await unlock();
    return opened;
  }
  const journal = opened;
  const close = async (): Promise<void> => {
    journal.close();
    const now = await readCampaign(path);
    if (!(now instanceof Fault)) await writeReports(folder, now.data);
    await unlock();
  };
  return { cases, versions, slowness, close };
}
