/** The smallest set of changes whose taking back makes the test pass (section II.B of AFTER). */

import { evenParts, smallestPart } from '../../reduce/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import type { Trials } from '../trials/trials.js';
import { AuxiliaryChanges, type AuxiliaryWay } from './auxiliary.js';

export interface Blame {
  readonly blamed: readonly Change[];
  /** What must be taken back with them so that the program compiles. */
  readonly auxiliary: readonly Change[];
}

export class BlameSearch {
  readonly #auxiliary: AuxiliaryChanges;

  constructor(
    files: readonly ChangedFile[],
    private readonly trials: Trials,
    /** As published: Algorithms 2 and 4 to the letter; else with the ends they leave open closed, see docs/explaining.md. */
    private readonly way: AuxiliaryWay,
  ) {
    this.#auxiliary = new AuxiliaryChanges(files, trials, way);
  }

  /**
   * Algorithm 2 over those that may be to blame: asymmetric, only a test that passes tells anything.
   *
   * @param candidates the likeliest first
   * @param isWholeFirst where all of them together compile and do not repair, no part of them is tried
   */
  async among(candidates: readonly Change[], isWholeFirst = false): Promise<Blame | undefined> {
    const isAsPublished = this.way === 'as published';
    const passes = async (part: readonly Change[]): Promise<boolean> => {
      const auxiliary = await this.#auxiliary.for(part);
      return auxiliary !== undefined && (await this.#isRepaired([...part, ...auxiliary]));
    };
    if (isWholeFirst && candidates.length > 1) {
      const auxiliary = await this.#auxiliary.for(candidates, true);
      if (auxiliary !== undefined && !(await this.#isRepaired([...candidates, ...auxiliary])))
        return undefined;
    }
    const part = await smallestPart(candidates, passes, {
      split: evenParts,
      afterHit: 'in two',
      finer: isAsPublished ? 'doubled' : 'up to single items',
    });
    if (part === undefined || part.length === 0) return undefined;
    const auxiliary = (await this.#auxiliary.for(part)) ?? [];
    return isAsPublished ? { blamed: part, auxiliary } : this.#told(part, auxiliary, candidates);
  }

  /**
   * What only had to compile may be what repairs, and what repairs may only have had to compile: of all that is taken
   * back, a smallest set that repairs is kept, and those in it that may be to blame are.
   */
  async #told(
    part: readonly Change[],
    auxiliary: readonly Change[],
    candidates: readonly Change[],
  ): Promise<Blame> {
    const taken = [...part, ...auxiliary];
    const needed =
      (await smallestPart(taken, (some) => this.#isRepaired(some), {
        split: evenParts,
        afterHit: 'as finely',
        finer: 'up to single items',
      })) ?? taken;
    const suspected = new Set(candidates);
    const blamed = needed.filter((change) => suspected.has(change));
    if (blamed.length === 0) return { blamed: needed, auxiliary: [] };
    return { blamed, auxiliary: needed.filter((change) => !suspected.has(change)) };
  }

  async #isRepaired(changes: readonly Change[]): Promise<boolean> {
    return (await this.trials.of(changes.map(({ id }) => id))).verdict === 'passes';
  }
}
