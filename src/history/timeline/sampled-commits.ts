/** Builds every n-th commit of a line as versions of a timeline. */

import { type BuildContext, versionAt } from '../../builds/index.js';
import { Fault } from '../../machine/index.js';
import { shortId } from '../../repository/index.js';
import type { NamedVersion } from './measure-points.js';

export interface CommitSampling extends BuildContext {
  readonly good: string;
  readonly bad: string;
  /** The step between sampled commits; both ends are always included. */
  readonly every: number;
  readonly onBuild: (at: number, all: number, commit: string) => void;
}

export async function sampledCommits(plan: CommitSampling): Promise<readonly NamedVersion[] | Fault> {
  const { repository, good, bad, every, signal, onBuild } = plan;
  const line = await repository.line(good, bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  const chosen = line.filter((_, at) => at % every === 0 || at === line.length - 1);
  const versions: NamedVersion[] = [];
  for (const [at, commit] of chosen.entries()) {
    const name = shortId(commit);
    onBuild(at + 1, chosen.length, name);
    const version = await versionAt(plan, commit);
    if (version instanceof Fault && version.kind === 'environment') return version;
    versions.push({ name, version });
  }
  return versions;
}
