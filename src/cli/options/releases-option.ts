/** The releases between two versions. */

import { Fault, usageFault } from '../../machine/index.js';
import {
  type ReleaseSource,
  releaseSources,
  releasesBetween,
  surroundings,
  type Version,
} from '../../solver/index.js';
import { tell, warn } from '../screen/terminal.js';
import { versionsOf } from './versions.js';

/**
 * The releases from the oldest to the newest version, both included. Unavailable releases are reported and skipped.
 *
 * @param asked a source of releases, a list of versions, or true for the source of the newest version
 */
export async function releasesOf(
  asked: string | true,
  versions: readonly Version[],
  signal: AbortSignal,
): Promise<readonly Version[] | Fault> {
  const [oldest, newest] = [versions[0], versions.at(-1)];
  if (oldest === undefined || newest === undefined)
    return usageFault('name at least two versions to look for releases between them');
  const usual = newest.program.kind === 'native' ? 'pypi' : 'npm';
  const source = asked === true ? usual : asked;
  const specs = isSource(source) ? await specsFrom(source, oldest, newest, signal) : source.split(',');
  if (specs instanceof Fault) return specs;
  const between: Version[] = [];
  for (const spec of specs) {
    const found = await versionsOf(spec, signal);
    if (found instanceof Fault) warn(`${spec} is left out: ${found.message}`);
    else between.push(...found);
  }
  if (between.length === 0) return usageFault('no release in between can be run');
  return [oldest, ...between, newest];
}

function isSource(word: string): word is ReleaseSource {
  return Object.hasOwn(releaseSources, word);
}

async function specsFrom(
  source: ReleaseSource,
  oldest: Version,
  newest: Version,
  signal: AbortSignal,
): Promise<readonly string[] | Fault> {
  const around = await surroundings(tell, signal);
  return around instanceof Fault ? around : releasesBetween(oldest, newest, source, around);
}
