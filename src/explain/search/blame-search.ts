/** Searches the smallest set of changes that makes the test pass when it is reverted (section II.B of AFTER). */

import { evenParts, removeUnneeded, smallestPart } from '../../reduce/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { splitByPlace } from '../changes/split-by-place.js';
import type { Suspects } from '../comparing/divergence.js';
import type { Trials } from '../trials/trials.js';
import { AuxiliaryChanges, type AuxiliaryStrategy } from './auxiliary-changes.js';

export interface Blame {
  readonly blamed: readonly Change[];
  /** Must be reverted with the blamed changes so that the program compiles. */
  readonly auxiliary: readonly Change[];
  /** The blamed changes that need not be reverted: they call new functions and have no effect without those. */
  readonly staying?: readonly Change[] | undefined;
}

/** Maximum number of rounds in which suspects are added. */
const maxRounds = 6;

const finely = { split: evenParts<Change>, afterHit: 'as finely', finer: 'up to single items' } as const;

const byPlace = { split: splitByPlace, afterHit: 'as finely', finer: 'up to single items' } as const;

/** Blames the suspects among the reverted changes; the others are auxiliary. */
function blameIn(taken: readonly Change[], rounds: readonly Suspects[]): Blame {
  const isOnPath = (change: Change): boolean =>
    rounds.some(({ origins, unjudged }) => origins.includes(change) || unjudged.includes(change));
  return {
    blamed: taken.filter(isOnPath),
    auxiliary: taken.filter((change) => !isOnPath(change)),
  };
}

/**
 * Unjudged changes that are executed because of `far` and may replace it: those that no other kept change enables,
 * or, if there are none, those with other enablers that are closer to the failure than `far`.
 */
function replacementsFor(
  far: Change,
  kept: readonly Change[],
  rounds: readonly Suspects[],
  levelOf: (change: Change) => number,
): ReadonlySet<Change> {
  const own = new Set<Change>();
  const shared = new Set<Change>();
  // On level 0 its values flow into the failure.
  if (levelOf(far) === 0) return own;
  for (const { unjudged, enablersOf } of rounds)
    for (const change of unjudged) {
      const enablers = enablersOf(change).filter((source) => kept.includes(source));
      if (kept.includes(change) || !enablers.includes(far)) continue;
      if (enablers.length === 1) own.add(change);
      else if (levelOf(change) < levelOf(far)) shared.add(change);
    }
  return own.size > 0 ? own : shared;
}

const equalSets = <T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean =>
  some.size === others.size && [...some].every((item) => others.has(item));

export class BlameSearch {
  readonly #auxiliary: AuxiliaryChanges;
  /** Reverted sets that did not repair the test. */
  readonly #tooFew: ReadonlySet<Change>[] = [];

  constructor(
    private readonly files: readonly ChangedFile[],
    private readonly trials: Pick<Trials, 'of'>,
    /**
     * As published means Algorithms 2 and 4 unchanged; docs/explaining.md lists the extensions of the other
     * strategies.
     */
    private readonly strategy: AuxiliaryStrategy,
  ) {
    this.#auxiliary = new AuxiliaryChanges(files, trials, strategy);
  }

  /**
   * Algorithm 2 among the candidates. It is asymmetric: only a passing test is evidence.
   *
   * @param candidates the likeliest first
   * @param isWholeFirst skips all subsets if the candidates together compile and do not repair
   * @param levelOf the number of decisions between a change and the failure
   */
  async among(
    candidates: readonly Change[],
    isWholeFirst = false,
    levelOf: (change: Change) => number = () => 0,
  ): Promise<Blame | undefined> {
    const isAsPublished = this.strategy === 'as published';
    const passes = (part: readonly Change[]): Promise<boolean> => this.#passes(part);
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
    return isAsPublished
      ? { blamed: part, auxiliary }
      : this.#blameByCloseness(part, auxiliary, candidates, levelOf);
  }

  /**
   * Tries the suspects, and adds more of them until the reverted changes repair the test.
   *
   * @param suspectsWith the suspects if some changes are already reverted; undefined if unknown
   * @param levelOf the number of decisions between a change and the failure
   */
  async suspected(
    suspectsWith: (reverted: ReadonlySet<number>) => Promise<Suspects | undefined>,
    levelOf: (change: Change) => number,
  ): Promise<Blame | undefined> {
    const suspects: Change[] = [];
    const rounds: Suspects[] = [];
    let reverted: readonly Change[] = [];
    for (let round = 0; round < maxRounds; round++) {
      const found = await suspectsWith(new Set(reverted.map(({ id }) => id)));
      if (found === undefined) return undefined;
      const isNew = (change: Change): boolean => !reverted.includes(change);
      const origins = found.origins.filter(isNew);
      const more = origins.length > 0 ? origins : found.unjudged.filter(isNew);
      if (more.length === 0) return undefined;
      rounds.push(found);
      suspects.push(...more);
      const auxiliary = await this.#auxiliary.for(suspects);
      if (auxiliary === undefined) return this.#wholePlaces(suspects, rounds);
      reverted = [...suspects, ...auxiliary];
      if (!(await this.#isRepaired(reverted))) {
        this.#tooFew.push(new Set(reverted));
        continue;
      }
      const needed = await this.#needed(suspects, [], suspects.slice(0, -more.length));
      const part = await this.#closer(needed, rounds, levelOf);
      return this.#withCalls(await this.#withAuxiliary(part, rounds, levelOf), rounds);
    }
    return undefined;
  }

  /**
   * Suspects that cannot be reverted alone may be part of a rewritten function. Reverts all changes of a suspect's
   * function, then of its file, and minimizes the first set that repairs.
   */
  async #wholePlaces(suspects: readonly Change[], rounds: readonly Suspects[]): Promise<Blame | undefined> {
    for (const place of [...this.#functionsOf(suspects), ...this.#filesOf(suspects)]) {
      if (!(await this.#isRepaired(place))) continue;
      const needed = (await smallestPart(place, (some) => this.#isRepaired(some), byPlace)) ?? place;
      const blame = blameIn(needed, rounds);
      if (blame.blamed.length > 0) return this.#withCalls(blame, rounds);
    }
    return undefined;
  }

  /** All changes of each suspect's function, in the order of the suspects. */
  #functionsOf(suspects: readonly Change[]): readonly (readonly Change[])[] {
    const nameOf = ({ file, within }: Change): string | undefined =>
      within === undefined ? undefined : `${file} ${within}`;
    const names = new Set(suspects.map(nameOf));
    names.delete(undefined);
    const all = this.files.flatMap(({ changes }) => changes);
    return [...names].map((name) => all.filter((change) => nameOf(change) === name));
  }

  #filesOf(suspects: readonly Change[]): readonly (readonly Change[])[] {
    const names = new Set(suspects.map(({ file }) => file));
    return [...names].flatMap((name) =>
      this.files.filter(({ versions: { path } }) => path === name).map(({ changes }) => changes),
    );
  }

  /**
   * Minimizes the auxiliary changes of a repair. If they repair without a part of it, that part is searched again. An
   * auxiliary change that is also a suspect is blamed, because the two cannot be told apart.
   */
  async #withAuxiliary(
    part: readonly Change[],
    rounds: readonly Suspects[],
    levelOf: (change: Change) => number,
  ): Promise<Blame> {
    const all = (await this.#auxiliary.for(part)) ?? [];
    if (all.length === 0) return { blamed: part, auxiliary: [] };
    for (const change of part) {
      const others = part.filter((other) => other !== change);
      const rest = [...others, ...all];
      // A subset of a set that did not repair does not repair either.
      const isTooFew = this.#tooFew.some((set) => rest.every((one) => set.has(one)));
      if (!isTooFew && (await this.#isRepaired(rest)))
        return this.#blameByCloseness(others, all, [...part, ...all], levelOf);
    }
    const needed = (await smallestPart(all, (some) => this.#isRepaired([...part, ...some]), finely)) ?? all;
    const { blamed, auxiliary } = blameIn(needed, rounds);
    return { blamed: [...part, ...blamed], auxiliary };
  }

  /**
   * Replaces a change that only enables others by the enabled changes closer to the failure, if these also repair.
   * Changes that enable the same others are replaced together.
   */
  async #closer(
    part: readonly Change[],
    rounds: readonly Suspects[],
    levelOf: (change: Change) => number,
  ): Promise<readonly Change[]> {
    let kept = part;
    const tried = new Set<Change>();
    for (const far of part) {
      const closer = replacementsFor(far, kept, rounds, levelOf);
      if (tried.has(far) || closer.size === 0) continue;
      const isAlike = (other: Change): boolean =>
        equalSets(replacementsFor(other, kept, rounds, levelOf), closer);
      const alike = kept.filter(isAlike);
      for (const change of alike) tried.add(change);
      const others = kept.filter((change) => !alike.includes(change));
      if (await this.#passes([...others, ...closer]))
        kept = [...others, ...(await this.#needed([...closer], others))];
    }
    return kept;
  }

  /**
   * A new function has no effect until it is called: blames the calling change too, which stays since the rest
   * repairs.
   */
  #withCalls(blame: Blame, rounds: readonly Suspects[]): Blame {
    const taken = [...blame.blamed, ...blame.auxiliary];
    const calls = new Set(rounds.flatMap(({ callsOf }) => blame.blamed.flatMap(callsOf)));
    const staying = [...calls].filter((change) => !taken.includes(change));
    return staying.length === 0 ? blame : { ...blame, blamed: [...blame.blamed, ...staying], staying };
  }

  /**
   * Removes the suspects that are not needed for the repair. One that is auxiliary to the others is needed.
   *
   * @param tooFew a set that did not repair
   */
  #needed(
    suspects: readonly Change[],
    others: readonly Change[],
    tooFew: readonly Change[] = [],
  ): Promise<readonly Change[]> {
    const repairs = async (some: readonly Change[]): Promise<boolean> => {
      const part = [...others, ...some];
      const auxiliary = await this.#auxiliary.for(part);
      const isLeft = (change: Change): boolean => suspects.includes(change) && !some.includes(change);
      return auxiliary !== undefined && !auxiliary.some(isLeft) && this.#isRepaired([...part, ...auxiliary]);
    };
    return removeUnneeded(suspects, repairs, [new Set(tooFew)]);
  }

  /** Tests with the auxiliary changes also reverted. */
  async #passes(part: readonly Change[]): Promise<boolean> {
    const auxiliary = await this.#auxiliary.for(part);
    return auxiliary !== undefined && (await this.#isRepaired([...part, ...auxiliary]));
  }

  /**
   * An auxiliary change may be the repair, and a suspect may only be auxiliary. Minimizes the set of both. Blames its
   * members that are closest to the failure, and those without which the rest compiles but does not repair.
   */
  async #blameByCloseness(
    part: readonly Change[],
    auxiliary: readonly Change[],
    candidates: readonly Change[],
    levelOf: (change: Change) => number,
  ): Promise<Blame> {
    const taken = [...part, ...auxiliary];
    const isRepaired = (some: readonly Change[]): Promise<boolean> => this.#isRepaired(some);
    const needed = auxiliary.length === 0 ? part : ((await smallestPart(taken, isRepaired, finely)) ?? taken);
    const closeness = new Map(candidates.map((change) => [change, levelOf(change)]));
    const suspected = needed.filter((change) => closeness.has(change));
    if (suspected.length === 0) return { blamed: needed, auxiliary: [] };
    const closest = Math.min(...suspected.map((change) => closeness.get(change) ?? 0));
    const blamed = new Set<Change>();
    for (const change of suspected)
      if (closeness.get(change) === closest || (await this.#isNeededToRepair(change, needed)))
        blamed.add(change);
    return {
      blamed: candidates.filter((change) => blamed.has(change)),
      auxiliary: needed.filter((change) => !blamed.has(change)),
    };
  }

  async #isNeededToRepair(change: Change, needed: readonly Change[]): Promise<boolean> {
    const others = needed.filter((other) => other !== change);
    const { verdict } = await this.trials.of(others.map(({ id }) => id));
    return verdict !== 'does not build';
  }

  async #isRepaired(changes: readonly Change[]): Promise<boolean> {
    return (await this.trials.of(changes.map(({ id }) => id))).verdict === 'passes';
  }
}
