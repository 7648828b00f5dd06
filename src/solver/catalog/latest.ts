/** `z3@latest`: the newest release there is, by its number from then on. */

import { environmentFault, Fault } from '../../machine/index.js';
import type { SolverSurroundings, Source } from '../sources/source.js';
import { compareReleases } from '../version/release.js';
import { engineOf, type KnownFamily, latest, printSpec, type VersionSpec } from '../version/spec.js';

/**
 * The same specs, none of them without a number. What cannot be asked is left out, as long as something else knows one.
 *
 * @param isIn whether a family is part of a release
 */
export async function withNumbers(
  specs: readonly VersionSpec[],
  sources: readonly Source[],
  around: SolverSurroundings,
  isIn: (family: KnownFamily, number: string) => boolean,
): Promise<readonly VersionSpec[] | Fault> {
  const numbered: VersionSpec[] = [];
  for (const spec of specs) {
    if (!('number' in spec) || spec.number !== latest) {
      numbered.push(spec);
      continue;
    }
    const asked = sources.filter(({ name }) => spec.from === 'any' || spec.from === name);
    const answers = await Promise.all(asked.map((source) => source.offers(engineOf[spec.family], around)));
    const numbers = answers
      .flatMap((answer) => (answer instanceof Fault ? [] : answer.map(({ number }) => number)))
      .filter((number) => isIn(spec.family, number));
    const newest = numbers.toSorted(compareReleases).at(-1);
    const reasons = answers.flatMap((answer) => (answer instanceof Fault ? [answer.message] : [])).join('; ');
    if (newest === undefined) {
      const why = reasons === '' ? 'no source knows one' : reasons;
      return environmentFault(`the newest release for ${printSpec(spec)} could not be found: ${why}`);
    }
    // There may be a newer one where nobody could look.
    if (reasons !== '')
      around.progress(`${printSpec(spec)} is ${newest} as far as could be asked: ${reasons}`);
    numbered.push({ ...spec, number: newest });
  }
  return numbered;
}
