/** Formulas to be run under other random seeds: those of a campaign, by its own rule, or any others. */

import { type CaseId, Journal } from '../campaign/index.js';
import { caseName, storedFormula } from '../hunt/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import type { SeedVerdict, Slowness, Version } from '../solver/index.js';
import { readCampaign, writeReports } from './campaign.js';

/** A formula to confirm, and where its verdict goes. */
export interface ConfirmCase {
  readonly name: string;
  readonly formula: Script;
  readonly keep: (verdict: SeedVerdict) => void;
}

export interface Confirmation {
  readonly cases: readonly ConfirmCase[];
  readonly versions: readonly Version[];
  readonly slowness: Slowness;
  /** To be called at the end, whatever happens before. */
  readonly close: () => Promise<void>;
}

/**
 * Every finding of a campaign. Verdicts go into its journal, and its reports are written anew at the end.
 *
 * @param versionsOf gets the versions the campaign was begun with
 */
export async function confirmCampaign(
  path: string,
  versionsOf: (names: readonly string[]) => Promise<readonly Version[] | Fault>,
  onRead?: OnStep,
): Promise<Confirmation | Fault> {
  const campaign = await readCampaign(path, onRead);
  if (campaign instanceof Fault) return campaign;
  const { folder, settings, data } = campaign;
  const stored: { readonly id: CaseId; readonly formula: Script }[] = [];
  for (const { id, text } of data.groups.flatMap((group) => group.findings)) {
    const formula = storedFormula(text);
    if (formula instanceof Fault) return formula;
    stored.push({ id, formula });
  }
  // No version has to be here, and nothing is written, where there is nothing to run.
  if (stored.length === 0)
    return { cases: [], versions: [], slowness: settings.slowness, close: async () => {} };
  const versions = await versionsOf(settings.versions);
  if (versions instanceof Fault) return versions;
  const unlock = await folder.lock();
  if (unlock instanceof Fault) return unlock;
  const journal = Journal.open(folder.journalPath);
  if (journal instanceof Fault) {
    await unlock();
    return journal;
  }
  const cases = stored.map(
    ({ id, formula }): ConfirmCase => ({
      name: caseName(id),
      formula,
      keep: ({ slower, tried, robustness }) =>
        journal.append({ event: 'seeds', at: data.elapsedMs, slowdown: id, slower, tried, robustness }),
    }),
  );
  const close = async (): Promise<void> => {
    journal.close();
    const now = await readCampaign(path);
    if (!(now instanceof Fault)) await writeReports(folder, now.data);
    await unlock();
  };
  return { cases, versions, slowness: settings.slowness, close };
}
