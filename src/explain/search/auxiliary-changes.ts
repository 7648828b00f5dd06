/** The changes that must be taken back together with others, so that the program still compiles (section IV of AFTER). */

import { readSource } from '../../program/source/index.js';
import { smallestPart } from '../../reduce/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { withReverted } from '../changes/reverted.js';
import { splitByPlace } from '../changes/split-by-place.js';
import type { Trials } from '../trials/trials.js';
import { type CurrentSources, isFile, likelyMissing, type Place } from './likely-missing.js';

/** How often complaints are followed, and to how many changes: what leads further leads to all of them. */
const mostRounds = 12;
const mostFollowed = 100;

/** Among more changes, the search by Algorithm 4 takes hundreds of builds. */
const mostSearched = 250;

/**
 * By Algorithm 4 from all that is left, as published; by what the compiler complains about alone, which is quick and may
 * find nothing; or by the one and, where that finds nothing, by the other.
 */
export type AuxiliaryWay = 'as published' | 'by complaints' | 'by complaints, then by all';

/** What was found for a set also does for what is in it: the cache of section IV. */
interface Found {
  readonly for: ReadonlySet<number>;
  readonly auxiliary: readonly Change[];
}

export class AuxiliaryChanges {
  readonly #all: readonly Change[];
  readonly #found: Found[] = [];

  constructor(
    private readonly files: readonly ChangedFile[],
    private readonly trials: Pick<Trials, 'of'>,
    private readonly way: AuxiliaryWay,
  ) {
    this.#all = files.flatMap(({ changes }) => changes);
  }

  /**
   * A set that makes it compile; none where it compiles by itself, undefined where nothing does.
   *
   * @param wanted the changes that are taken back anyway
   * @param isWhole it is for all that may be to blame: worth a search, since it does for every part of them, too
   */
  async for(wanted: readonly Change[], isWhole = false): Promise<readonly Change[] | undefined> {
    const own = new Set(wanted.map(({ id }) => id));
    const compiles = async (more: readonly Change[]): Promise<boolean> =>
      (await this.trials.of([...own, ...more.map(({ id }) => id)])).verdict !== 'does not build';
    if (await compiles([])) return [];
    const left = this.#all.filter(({ id }) => !own.has(id));
    const followed = this.way === 'as published' ? undefined : await this.#followed(own, left);
    if (followed !== undefined) return followed;
    const isSearched = this.way !== 'by complaints' || (isWhole && left.length <= mostSearched);
    const enough = this.#known(own) ?? (isSearched && (await compiles(left)) ? left : undefined);
    if (enough === undefined) return undefined;
    const auxiliary = await smallestPart(enough, compiles, {
      split: splitByPlace,
      afterHit: 'as finely',
      finer: this.way === 'as published' ? 'doubled' : 'up to single items',
    });
    if (auxiliary !== undefined) this.#found.push({ for: own, auxiliary });
    return auxiliary;
  }

  /** Of a set around this one: with it, and with the rest of that set, it compiles. */
  #known(own: ReadonlySet<number>): readonly Change[] | undefined {
    const found = this.#found.find((one) => [...own].every((id) => one.for.has(id)));
    if (found === undefined) return undefined;
    const ids = new Set([...found.for, ...found.auxiliary.map(({ id }) => id)]);
    return this.#all.filter(({ id }) => ids.has(id) && !own.has(id));
  }

  /** By following what the compiler complains about. */
  async #followed(own: ReadonlySet<number>, left: readonly Change[]): Promise<readonly Change[] | undefined> {
    const taken = new Map<number, Change>();
    for (let round = 0; round < mostRounds; round++) {
      const reverted = new Set([...own, ...taken.keys()]);
      const { verdict, output } = await this.trials.of(reverted);
      if (verdict !== 'does not build') return [...taken.values()];
      const missing = likelyMissing(
        output.split('\n'),
        left.filter(({ id }) => !taken.has(id)),
        this.#sourcesWith(reverted),
      );
      if (missing.length === 0) return undefined;
      for (const change of missing) taken.set(change.id, change);
      if (taken.size > mostFollowed) return undefined;
    }
    return undefined;
  }

  readonly #heads = new Map<ChangedFile, readonly Head[]>();

  /** Of the functions of the old version. */
  #headsIn(file: ChangedFile): readonly Head[] {
    const known = this.#heads.get(file);
    if (known !== undefined) return known;
    const { oldText = '', path } = file.versions;
    const heads = readSource(oldText, path).functions.map(({ name, firstLine }) => ({
      name,
      line: firstLine,
    }));
    this.#heads.set(file, heads);
    return heads;
  }

  #sourcesWith(reverted: ReadonlySet<number>): CurrentSources {
    const read = new Map<ChangedFile, ReturnType<typeof readSource>>();
    const fileAt = (place: Place): ChangedFile | undefined =>
      this.files.find(({ versions: { path } }) => isFile(path, place));
    return {
      bringsBack: (change, name) => {
        const file = this.files.find(({ changes }) => changes.includes(change));
        return (
          file !== undefined &&
          this.#headsIn(file).some((head) => head.name === name && isIn(head.line, change))
        );
      },
      functionAt: (place) => {
        const file = fileAt(place);
        if (file === undefined) return undefined;
        const source =
          read.get(file) ??
          readSource(withReverted(file, (id) => reverted.has(id)) ?? '', file.versions.path);
        read.set(file, source);
        const isThere = ({ firstLine, lastLine }: { firstLine: number; lastLine: number }): boolean =>
          firstLine <= place.line && place.line <= lastLine;
        return source.functions.find(isThere)?.name;
      },
      newLineOf: (place) => {
        let shift = 0;
        for (const { id, new: next, oldLines, newLines } of fileAt(place)?.changes ?? []) {
          if (!reverted.has(id)) continue;
          const first = next.from + shift;
          if (place.line < first) break;
          if (place.line < first + oldLines.length) return next.from;
          shift += oldLines.length - newLines.length;
        }
        return place.line - shift;
      },
    };
  }
}

interface Head {
  readonly name: string;
  readonly line: number;
}

/** A type may stand on a line before the name. */
function isIn(line: number, { old: { from, to } }: Change): boolean {
  return from - 1 <= line && line <= to;
}
