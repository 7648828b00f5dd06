/** The result in a folder of `culprit bisect` or `culprit blame`. */

import { type Allow, Fault, type OnStep } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import { type Dossier, dossiers } from '../triage/dossier.js';
import type { Bisection } from './bisection.js';
import { readBisection } from './bisection-file.js';
import { openBisection, repositoryOf } from './open-bisection.js';
import type { BisectSettings } from './settings.js';

export interface FinishedBisection {
  readonly settings: BisectSettings;
  readonly bisection: Bisection;
}

/** A result with the facts about each culprit. */
export interface ExaminedBisection extends FinishedBisection {
  readonly repository: Repository;
  readonly dossiers: readonly Dossier[];
}

export async function finishedBisection(path: string): Promise<FinishedBisection | Fault> {
  const opened = await openBisection(path);
  if (opened instanceof Fault) return opened;
  const bisection = await readBisection(opened.folder.path);
  return bisection instanceof Fault ? bisection : { settings: opened.settings, bisection };
}

/**
 * Reads the culprit commits from the repository.
 *
 * @param allow decides whether the repository may be read: its path may come from a stranger
 */
export async function examinedBisection(
  path: string,
  allow: Allow,
  signal: AbortSignal,
  onStep?: OnStep,
): Promise<ExaminedBisection | Fault> {
  const finished = await finishedBisection(path);
  if (finished instanceof Fault) return finished;
  const { settings, bisection } = finished;
  const repository = await repositoryOf(settings, allow, signal);
  if (repository instanceof Fault) return repository;
  const found = await dossiers(bisection, repository, settings.bad, signal, onStep);
  return found instanceof Fault ? found : { settings, bisection, repository, dossiers: found };
}
