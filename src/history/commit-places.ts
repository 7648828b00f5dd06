/** Every so many commits of a line, built, as places of a timeline. */

import { Fault } from '../solver/fault.js';
import type { Builder } from './builders.js';
import type { Builds } from './builds.js';
import type { Place } from './measure-points.js';
import { versionOfProgram } from './program-version.js';
import { type Repository, short } from './repository.js';

export interface CommitPlaces {
  readonly repository: Repository;
  readonly good: string;
  readonly bad: string;
  /** One in so many commits; the two ends always. */
  readonly every: number;
  readonly builder: Builder;
  readonly builds: Builds;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onBuild: (at: number, all: number, commit: string) => void;
}

export async function commitPlaces(plan: CommitPlaces): Promise<readonly Place[] | Fault> {
  const { repository, good, bad, every, builder, builds, jobs, signal, onBuild } = plan;
  const line = await repository.line(good, bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  const chosen = line.filter((_, at) => at % every === 0 || at === line.length - 1);
  const places: Place[] = [];
  for (const [at, commit] of chosen.entries()) {
    const name = short(commit);
    onBuild(at + 1, chosen.length, name);
    const build = await builds.build(repository, commit, builder.recipe, { jobs, signal });
    if (build instanceof Fault) return build;
    if (build.kind === 'failed') {
      places.push({ name, why: `it does not build: ${build.why}` });
      continue;
    }
    const version = await versionOfProgram(build.program, builder.family, name);
    places.push(version instanceof Fault ? { name, why: version.message } : { name, version });
  }
  return places;
}
