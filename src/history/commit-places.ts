/** Every so many commits of a line, built, as places of a timeline. */

import { versionAt, type Workshop } from '../builds/index.js';
import { Fault } from '../machine/index.js';
import { short } from '../repository/index.js';
import type { Place } from './measure-points.js';

export interface CommitPlaces extends Workshop {
  readonly good: string;
  readonly bad: string;
  /** One in so many commits; the two ends always. */
  readonly every: number;
  readonly onBuild: (at: number, all: number, commit: string) => void;
}

export async function commitPlaces(plan: CommitPlaces): Promise<readonly Place[] | Fault> {
  const { repository, good, bad, every, signal, onBuild } = plan;
  const line = await repository.line(good, bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  const chosen = line.filter((_, at) => at % every === 0 || at === line.length - 1);
  const places: Place[] = [];
  for (const [at, commit] of chosen.entries()) {
    const name = short(commit);
    onBuild(at + 1, chosen.length, name);
    const version = await versionAt(plan, commit);
    if (version instanceof Fault && version.kind === 'environment') return version;
    places.push(version instanceof Fault ? { name, why: version.message } : { name, version });
  }
  return places;
}
