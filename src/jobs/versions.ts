/** Solver versions by name: downloads and builds the ones that are missing. */

import { buildCommit, pinVersions } from '../builds/index.js';
import { coverageFiles } from '../coverage/index.js';
import { type Allow, allowNamed, Fault } from '../machine/index.js';
import {
  countingVariant,
  parseSpecList,
  type Resolved,
  resolveVersions,
  runnablesOf,
  surroundings,
  type Version,
} from '../solver/index.js';
import type { JobWatch } from './job.js';

type VersionWatch = Pick<JobWatch, 'signal' | 'onNote' | 'onWarning'>;

/** The versions in a list such as `z3@4.12.2,cvc5@1.1.2`, which the user has just typed. */
export async function versionsOf(list: string, watch: VersionWatch): Promise<readonly Version[] | Fault> {
  const resolved = await resolvedFrom(list, allowNamed, watch);
  if (resolved instanceof Fault) return resolved;
  for (const warning of resolved.warnings) watch.onWarning?.(warning);
  return resolved.versions;
}

/** Like `versionsOf`, with every commit named by its full id, so that the names keep their meaning. */
export async function pinnedVersions(list: string, watch: VersionWatch): Promise<readonly Version[] | Fault> {
  const names = await pinVersions(list, { folder: process.cwd(), signal: watch.signal });
  return names instanceof Fault ? names : versionsOf(names, watch);
}

/**
 * The versions of a stored campaign, without the warnings printed when it began.
 *
 * @param allow decides whether they may run: the campaign may come from a stranger
 */
export async function versionsAgain(
  names: readonly string[],
  allow: Allow,
  watch: VersionWatch,
): Promise<readonly Version[] | Fault> {
  const resolved = await resolvedFrom(names.join(), allow, watch);
  return resolved instanceof Fault ? resolved : resolved.versions;
}

async function resolvedFrom(
  list: string,
  allow: Allow,
  { signal, onNote = () => {} }: VersionWatch,
): Promise<Resolved | Fault> {
  const around = await surroundings(onNote, signal);
  if (around instanceof Fault) return around;
  const specs = parseSpecList(list, Object.keys(around.configuration.solvers));
  if (specs instanceof Fault) return specs;
  const denied = await allow(runnablesOf(specs, around));
  if (denied !== undefined) return denied;
  const options = { folder: around.machine.cwd, progress: onNote, signal, allow };
  return resolveVersions(specs, {
    ...around,
    buildCommit: (repository, revision, variant) =>
      buildCommit(repository, revision, {
        ...options,
        variant,
        collectArtifacts: variant === countingVariant(variant) ? coverageFiles : undefined,
      }),
  });
}
