import { environmentFault, Fault } from '../../machine/index.js';
import type { SolverSurroundings, Source } from '../sources/source.js';
import { compareReleases } from '../version/release.js';
import { engineOf, type KnownFamily, latest, printSpec, type VersionSpec } from '../version/spec.js';

/**
 * Replaces `latest` in specs by the newest release number. A source that cannot be reached is skipped if another one
 * knows a release.
 *
 * @param hasFamily whether a release contains a family
 */
export async function resolveLatest(
  specs: readonly VersionSpec[],
  sources: readonly Source[],
  around: SolverSurroundings,
  hasFamily: (family: KnownFamily, number: string) => boolean,
): Promise<readonly VersionSpec[] | Fault> {
  const numbered: VersionSpec[] = [];
  for (const spec of specs) {
    if (!('number' in spec) || spec.number !== latest) {
      numbered.push(spec);
      continue;
    }
    const queried = sources.filter(({ name }) => spec.from === 'any' || spec.from === name);
    const answers = await Promise.all(queried.map((source) => source.offers(engineOf[spec.family], around)));
    const numbers = answers
      .flatMap((answer) => (answer instanceof Fault ? [] : answer.map(({ number }) => number)))
      .filter((number) => hasFamily(spec.family, number));
    const newest = numbers.toSorted(compareReleases).at(-1);
    const reasons = answers.flatMap((answer) => (answer instanceof Fault ? [answer.message] : [])).join('; ');
    if (newest === undefined) {
      const why = reasons === '' ? 'no source lists one' : reasons;
      return environmentFault(`the newest release for ${printSpec(spec)} could not be found: ${why}`);
    }
    // An unreachable source may have a newer release.
    if (reasons !== '')
      around.progress(
        `${printSpec(spec)} is taken as ${newest}; not all sources could be reached: ${reasons}`,
      );
    numbered.push({ ...spec, number: newest });
  }
  return numbered;
}
