import { leftOutFor, type Version } from '../../solver/index.js';
import { warn } from '../screen/terminal.js';
import type { NamedFormula } from './inputs.js';

/** Says once what of formulas their versions do not get to see, and in which formula it stands. */
export class LeftOut {
  readonly #told = new Set<string>();

  /** What is left out of one formula, on any of the versions; told unless it was told before. */
  tell({ name, formula }: NamedFormula, versions: readonly Pick<Version, 'family'>[]): readonly string[] {
    const families = [...new Set(versions.map(({ family }) => family))];
    const notes = [...new Set(families.flatMap((family) => leftOutFor(formula, { family })))];
    const fresh = notes.filter((note) => !this.#told.has(note));
    for (const note of fresh) {
      this.#told.add(note);
      warn(`${name}: ${note}`);
    }
    return notes;
  }
}

/**
 * The same for all formulas of a command.
 *
 * @param versions where they are not known yet, as commits to be built, only what no solver gets is told
 */
export function tellLeftOut(
  formulas: readonly NamedFormula[],
  versions: readonly Pick<Version, 'family'>[] = [{ family: 'custom' }],
): void {
  const leftOut = new LeftOut();
  for (const formula of formulas) leftOut.tell(formula, versions);
}
