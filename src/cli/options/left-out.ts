import { leftOutFor, type Version } from '../../solver/index.js';
import { warn } from '../screen/terminal.js';
import type { NamedFormula } from './inputs.js';

/** Reports once which parts of formulas are withheld from solvers. */
export class LeftOut {
  readonly #told = new Set<string>();

  /** The withheld parts of one formula on any of the versions, reported unless they were before. */
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
 * Reports the withheld parts of all formulas of a command.
 *
 * @param versions if they are not known yet, such as commits to build, only parts withheld from every solver are
 * reported
 */
export function tellLeftOut(
  formulas: readonly NamedFormula[],
  versions: readonly Pick<Version, 'family'>[] = [{ family: 'custom' }],
): void {
  const leftOut = new LeftOut();
  for (const formula of formulas) leftOut.tell(formula, versions);
}
