/** Auxiliary changes: they must be reverted with others so that the program still compiles (section IV of AFTER). */

import { getOrCreate } from '../../program/graph/index.js';
import { readSource } from '../../program/source/index.js';
import { smallestPart } from '../../reduce/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { withReverted } from '../changes/reverted.js';
import { splitByPlace } from '../changes/split-by-place.js';
import type { Trials } from '../trials/trials.js';
import { type CurrentSources, type DiagnosticPlace, isFile, likelyMissing } from './likely-missing.js';

/** Limits for the search by diagnostics. Longer chains of diagnostics lead to nearly all changes. */
const maxRounds = 12;
const maxFollowed = 100;

/** Among more changes, the search by Algorithm 4 takes hundreds of builds. */
const maxSearched = 250;

/**
 * Algorithm 4 among all other changes, as published; the changes that the compiler's diagnostics name, which is quick
 * and may find nothing; or the second, then the first.
 */
export type AuxiliaryStrategy = 'as published' | 'by diagnostics' | 'by diagnostics, then among all';

/** The cache of section IV: the result for a set is sufficient for each of its subsets. */
interface CachedAuxiliary {
  readonly for: ReadonlySet<number>;
  readonly auxiliary: readonly Change[];
}

export class AuxiliaryChanges {
  readonly #all: readonly Change[];
  readonly #found: CachedAuxiliary[] = [];

  constructor(
    private readonly files: readonly ChangedFile[],
    private readonly trials: Pick<Trials, 'of'>,
    private readonly strategy: AuxiliaryStrategy,
  ) {
    this.#all = files.flatMap(({ changes }) => changes);
  }

  /**
   * The auxiliary changes with which the program compiles: none if it compiles without, undefined if no set was
   * found.
   *
   * @param wanted the changes that are reverted anyway
   * @param isWhole `wanted` holds all suspects: worth a search, since the result also serves their subsets
   */
  async for(wanted: readonly Change[], isWhole = false): Promise<readonly Change[] | undefined> {
    const own = new Set(wanted.map(({ id }) => id));
    const compiles = async (more: readonly Change[]): Promise<boolean> =>
      (await this.trials.of([...own, ...more.map(({ id }) => id)])).verdict !== 'does not build';
    if (await compiles([])) return [];
    const left = this.#all.filter(({ id }) => !own.has(id));
    const followed = this.strategy === 'as published' ? undefined : await this.#byDiagnostics(own, left);
    if (followed !== undefined) return followed;
    const isSearched = this.strategy !== 'by diagnostics' || (isWhole && left.length <= maxSearched);
    const enough = this.#cached(own) ?? (isSearched && (await compiles(left)) ? left : undefined);
    if (enough === undefined) return undefined;
    const auxiliary = await smallestPart(enough, compiles, {
      split: splitByPlace,
      afterHit: 'as finely',
      finer: this.strategy === 'as published' ? 'doubled' : 'up to single items',
    });
    if (auxiliary !== undefined) this.#found.push({ for: own, auxiliary });
    return auxiliary;
  }

  /** The rest of a cached superset: with it, `own` compiles. */
  #cached(own: ReadonlySet<number>): readonly Change[] | undefined {
    const found = this.#found.find((one) => [...own].every((id) => one.for.has(id)));
    if (found === undefined) return undefined;
    const ids = new Set([...found.for, ...found.auxiliary.map(({ id }) => id)]);
    return this.#all.filter(({ id }) => ids.has(id) && !own.has(id));
  }

  /** Adds the changes that the compiler's diagnostics name, until it compiles. */
  async #byDiagnostics(
    own: ReadonlySet<number>,
    left: readonly Change[],
  ): Promise<readonly Change[] | undefined> {
    const taken = new Map<number, Change>();
    for (let round = 0; round < maxRounds; round++) {
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
      if (taken.size > maxFollowed) return undefined;
    }
    return undefined;
  }

  readonly #heads = new Map<ChangedFile, readonly FunctionHead[]>();

  /** Functions of the old version. */
  #headsIn(file: ChangedFile): readonly FunctionHead[] {
    return getOrCreate(this.#heads, file, () => {
      const { oldText = '', path } = file.versions;
      return readSource(oldText, path).functions.map(({ name, firstLine }) => ({ name, line: firstLine }));
    });
  }

  #sourcesWith(reverted: ReadonlySet<number>): CurrentSources {
    const read = new Map<ChangedFile, ReturnType<typeof readSource>>();
    const fileAt = (place: DiagnosticPlace): ChangedFile | undefined =>
      this.files.find(({ versions: { path } }) => isFile(path, place));
    return {
      restores: (change, name) => {
        const file = this.files.find(({ changes }) => changes.includes(change));
        return (
          file !== undefined &&
          this.#headsIn(file).some((head) => head.name === name && isIn(head.line, change))
        );
      },
      functionAt: (place) => {
        const file = fileAt(place);
        if (file === undefined) return undefined;
        const source = getOrCreate(read, file, () =>
          readSource(withReverted(file, (id) => reverted.has(id)) ?? '', file.versions.path),
        );
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

interface FunctionHead {
  readonly name: string;
  readonly line: number;
}

/** The return type may stand on the line before the name. */
function isIn(line: number, { old: { from, to } }: Change): boolean {
  return from - 1 <= line && line <= to;
}
