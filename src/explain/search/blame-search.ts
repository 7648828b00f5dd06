/** The smallest set of changes whose taking back makes the test pass (section II.B of AFTER). */

import { evenParts, removeUnneeded, smallestPart } from '../../reduce/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { splitByPlace } from '../changes/split-by-place.js';
import type { Trials } from '../trials/trials.js';
import { AuxiliaryChanges, type AuxiliaryWay } from './auxiliary-changes.js';

export interface Blame {
  readonly blamed: readonly Change[];
  /** What must be taken back with them so that the program compiles. */
  readonly auxiliary: readonly Change[];
  /** Those of the blamed that need not be taken back: they call what is new, and do as before once that is gone. */
  readonly staying?: readonly Change[] | undefined;
}

/** What is suspected on sight, and what nothing is known about, closest to the failure first. */
export interface Suspects {
  readonly sources: readonly Change[];
  readonly unjudged: readonly Change[];
  /** The sources because of which one of the unjudged is come to. */
  readonly lettersOf: (unjudged: Change) => readonly Change[];
  /** Of a change with functions that only the new version has, those by whose calls they are come to. */
  readonly callsOf: (change: Change) => readonly Change[];
}

/** How often what is suspected is taken back without repairing it: then it is no way to go. */
const mostRounds = 6;

const finely = { split: evenParts<Change>, afterHit: 'as finely', finer: 'up to single items' } as const;

const byPlace = { split: splitByPlace, afterHit: 'as finely', finer: 'up to single items' } as const;

/** Of what repairs, what the failure comes by is to blame. */
function blameIn(taken: readonly Change[], rounds: readonly Suspects[]): Blame {
  const isOnTheWay = (change: Change): boolean =>
    rounds.some(({ sources, unjudged }) => sources.includes(change) || unjudged.includes(change));
  return {
    blamed: taken.filter(isOnTheWay),
    auxiliary: taken.filter((change) => !isOnTheWay(change)),
  };
}

/**
 * What `far` lets take effect and may give way to: the changes that nothing else of the kept lets, or, where there are
 * none, those that others let too but that are closer to the failure than `far`.
 */
function closerThan(
  far: Change,
  kept: readonly Change[],
  rounds: readonly Suspects[],
  levelOf: (change: Change) => number,
): ReadonlySet<Change> {
  const own = new Set<Change>();
  const shared = new Set<Change>();
  // What flows into the failure does more than to let others do so.
  if (levelOf(far) === 0) return own;
  for (const { unjudged, lettersOf } of rounds)
    for (const change of unjudged) {
      // Those that turned out to be needless let nothing.
      const letting = lettersOf(change).filter((source) => kept.includes(source));
      if (kept.includes(change) || !letting.includes(far)) continue;
      if (letting.length === 1) own.add(change);
      else if (levelOf(change) < levelOf(far)) shared.add(change);
    }
  return own.size > 0 ? own : shared;
}

const haveTheSame = <T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean =>
  some.size === others.size && [...some].every((item) => others.has(item));

export class BlameSearch {
  readonly #auxiliary: AuxiliaryChanges;
  /** All that was suspected in a round, where that did not repair. */
  readonly #tooFew: ReadonlySet<Change>[] = [];

  constructor(
    private readonly files: readonly ChangedFile[],
    private readonly trials: Pick<Trials, 'of'>,
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
   * @param levelOf how many decisions lie between a change and the failure
   */
  async among(
    candidates: readonly Change[],
    isWholeFirst = false,
    levelOf: (change: Change) => number = () => 0,
  ): Promise<Blame | undefined> {
    const isAsPublished = this.way === 'as published';
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
    return isAsPublished ? { blamed: part, auxiliary } : this.#told(part, auxiliary, candidates, levelOf);
  }

  /**
   * Those that are suspected on sight, more of them as long as what is taken back so far does not repair.
   *
   * @param suspectsWith what is suspected with some changes taken back already; undefined where nothing is known
   * @param levelOf how many decisions lie between a change and the failure
   */
  async suspected(
    suspectsWith: (reverted: ReadonlySet<number>) => Promise<Suspects | undefined>,
    levelOf: (change: Change) => number,
  ): Promise<Blame | undefined> {
    const suspects: Change[] = [];
    const rounds: Suspects[] = [];
    let reverted: readonly Change[] = [];
    for (let round = 0; round < mostRounds; round++) {
      const found = await suspectsWith(new Set(reverted.map(({ id }) => id)));
      if (found === undefined) return undefined;
      const isNew = (change: Change): boolean => !reverted.includes(change);
      const sources = found.sources.filter(isNew);
      const more = sources.length > 0 ? sources : found.unjudged.filter(isNew);
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
   * What cannot be taken back by itself may be part of a function that was written anew: all that was done to one of the
   * functions that suspects stand in is taken back, or to one of their files, and then as little of that as repairs.
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

  /** All that was done to each of the functions, those of the likeliest first. */
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
   * With as few as will do of what it needs to compile. That may be what repairs: where it does so without one of the
   * part, all of it is looked through anew. What the failure comes by as well, and cannot be left when the part is taken
   * back, is not told from it: it is blamed with it.
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
      // What is in a set that did not repair does not, either.
      const isTooFew = this.#tooFew.some((set) => rest.every((one) => set.has(one)));
      if (!isTooFew && (await this.#isRepaired(rest)))
        return this.#told(others, all, [...part, ...all], levelOf);
    }
    const needed = (await smallestPart(all, (some) => this.#isRepaired([...part, ...some]), finely)) ?? all;
    const { blamed, auxiliary } = blameIn(needed, rounds);
    return { blamed: [...part, ...blamed], auxiliary };
  }

  /**
   * One that only lets others take effect gives way to those that are closer to the failure, if they do as well. Several
   * that let the same ones give way together.
   */
  async #closer(
    part: readonly Change[],
    rounds: readonly Suspects[],
    levelOf: (change: Change) => number,
  ): Promise<readonly Change[]> {
    let kept = part;
    const tried = new Set<Change>();
    for (const far of part) {
      const closer = closerThan(far, kept, rounds, levelOf);
      if (tried.has(far) || closer.size === 0) continue;
      const isAlike = (other: Change): boolean =>
        haveTheSame(closerThan(other, kept, rounds, levelOf), closer);
      const alike = kept.filter(isAlike);
      for (const change of alike) tried.add(change);
      const others = kept.filter((change) => !alike.includes(change));
      if (await this.#passes([...others, ...closer]))
        kept = [...others, ...(await this.#needed([...closer], others))];
    }
    return kept;
  }

  /** A new function does nothing by itself: the change that calls it is blamed with it, and stays, since the rest repairs. */
  #withCalls(blame: Blame, rounds: readonly Suspects[]): Blame {
    const taken = [...blame.blamed, ...blame.auxiliary];
    const calls = new Set(rounds.flatMap(({ callsOf }) => blame.blamed.flatMap(callsOf)));
    const staying = [...calls].filter((change) => !taken.includes(change));
    return staying.length === 0 ? blame : { ...blame, blamed: [...blame.blamed, ...staying], staying };
  }

  /**
   * Without those that can be left while the others are taken back. One that must go with them cannot.
   *
   * @param tooFew some of them that did not repair
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

  /** With what must go with them taken back as well. */
  async #passes(part: readonly Change[]): Promise<boolean> {
    const auxiliary = await this.#auxiliary.for(part);
    return auxiliary !== undefined && (await this.#isRepaired([...part, ...auxiliary]));
  }

  /**
   * What only had to compile may be what repairs, and what repairs may only have had to compile: of all that is taken
   * back, a smallest set that repairs is kept. To blame are those in it that are closest to the failure, and those
   * without which the others compile and do not repair.
   */
  async #told(
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

  /** Without it the others compile and do not repair. */
  async #isNeededToRepair(change: Change, needed: readonly Change[]): Promise<boolean> {
    const others = needed.filter((other) => other !== change);
    const { verdict } = await this.trials.of(others.map(({ id }) => id));
    return verdict !== 'does not build';
  }

  async #isRepaired(changes: readonly Change[]): Promise<boolean> {
    return (await this.trials.of(changes.map(({ id }) => id))).verdict === 'passes';
  }
}
