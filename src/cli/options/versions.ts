import { buildCommit, pinned } from '../../builds/index.js';
import { coverageFiles } from '../../coverage/index.js';
import { type Allow, allowNamed, Fault } from '../../machine/index.js';
import {
  countingVariant,
  parseSpecList,
  type Resolved,
  resolveVersions,
  runnablesOf,
  surroundings,
  type Version,
} from '../../solver/index.js';
import { tell, warn } from '../screen/terminal.js';

/** Those that come with culprit. */
export const embeddedVersions = 'z3@4.8.17,z3@5.2.0';
export const embeddedNewest = 'z3@5.2.0';

/** The versions a `--on` names, downloaded or built where they are missing; prints what to know about them. */
export async function versionsOf(list: string, signal: AbortSignal): Promise<readonly Version[] | Fault> {
  const resolved = await resolvedFrom(list, allowNamed, signal);
  if (resolved instanceof Fault) return resolved;
  for (const warning of resolved.warnings) warn(warning);
  return resolved.versions;
}

/** The same with every commit named by its own id, so that the names mean the same versions later on. */
export async function pinnedVersions(list: string, signal: AbortSignal): Promise<readonly Version[] | Fault> {
  const names = await pinned(list, { folder: process.cwd(), signal });
  return names instanceof Fault ? names : versionsOf(names, signal);
}

/**
 * The versions of a campaign; what there is to know about them was printed when it began.
 *
 * @param allow asked whether they may be run: somebody else may have written the campaign
 */
export async function versionsAgain(
  names: readonly string[],
  allow: Allow,
  signal: AbortSignal,
): Promise<readonly Version[] | Fault> {
  const resolved = await resolvedFrom(names.join(), allow, signal);
  return resolved instanceof Fault ? resolved : resolved.versions;
}

async function resolvedFrom(list: string, allow: Allow, signal: AbortSignal): Promise<Resolved | Fault> {
  const around = await surroundings(tell, signal);
  if (around instanceof Fault) return around;
  const specs = parseSpecList(list, Object.keys(around.configuration.solvers));
  if (specs instanceof Fault) return specs;
  const denied = await allow(runnablesOf(specs, around));
  if (denied !== undefined) return denied;
  const ofCommit = { folder: around.machine.cwd, progress: tell, signal, allow };
  return resolveVersions(specs, {
    ...around,
    buildCommit: (repository, revision, variant) =>
      buildCommit(repository, revision, {
        ...ofCommit,
        variant,
        alsoKeep: variant === countingVariant(variant) ? coverageFiles : undefined,
      }),
  });
}
