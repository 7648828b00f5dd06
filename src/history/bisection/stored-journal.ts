/** The folder of a bisection: its request, its line of commits and its measurements. */

import { readJournal } from '../../campaign/index.js';
import { type Allow, Fault } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import { type BisectEvent, bisectEventReader } from './bisect-events.js';
import { type OpenedBisection, openBisection, repositoryOf } from './open-bisection.js';

export interface KeptJournal extends OpenedBisection {
  readonly repository: Repository;
  /** From the good commit to the bad one. */
  readonly line: readonly string[];
  /** All measurements in order. A fault is the last element. */
  readonly events: AsyncIterable<BisectEvent | Fault>;
}

/**
 * @param path a folder of `culprit bisect` or `culprit blame`
 * @param allow decides whether the repository may be read: its path may come from a stranger
 */
export async function keptJournal(
  path: string,
  allow: Allow,
  signal: AbortSignal,
): Promise<KeptJournal | Fault> {
  const opened = await openBisection(path);
  if (opened instanceof Fault) return opened;
  const { folder, settings } = opened;
  const repository = await repositoryOf(settings, allow, signal);
  if (repository instanceof Fault) return repository;
  const line = await repository.line(settings.good, settings.bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  const events = readJournal(folder.journalPath, bisectEventReader(settings.cases.length));
  return { folder, settings, repository, line, events };
}
