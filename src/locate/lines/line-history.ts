/** How often each line of a version was modified, followed through the history of its file (SMTLOC, 2.3.2). */

import type { CommitEdits, Source } from './commit-edits.js';

/** The lines of a file. */
export interface EditedLines {
  /** How often each was modified since it was first written. */
  readonly times: Uint32Array;
  /** The number of the commit that wrote it or modified it last. */
  readonly last: Int32Array;
  /** How many commits touched the file, under whatever name. */
  readonly commits: number;
}

type Files = Map<string, EditedLines>;

/**
 * Takes commits, parents before their children, and knows the lines of each for as long as one of its children is still
 * to come.
 */
export class LineHistory {
  readonly #files = new Map<string, { readonly files: Files; waiting: number }>();
  #count = 0;

  /** @param children how many of its children are still to come, the one asked about in the end counted as one */
  add(edits: CommitEdits, children: number): void {
    const number = this.#count++;
    const parents = edits.parents.map((parent) => this.#files.get(parent)?.files ?? new Map());
    const made = edits.files.map(({ path, length = 0, from }) => {
      const known = from.flatMap((source) => {
        const lines = parents[source.parent]?.get(source.path);
        return lines === undefined || !hasAll(lines, source) ? [] : [arriving(lines, source, number)];
      });
      const [first, ...others] = from.length === 0 ? [fresh(length, number)] : known;
      return [path, first && others.reduce(joined, first).lines] as const;
    });
    const files = this.#begun(edits.parents[0]);
    for (const path of edits.gone) files.delete(path);
    for (const [path, lines] of made) {
      // What is made from something that was never seen, as in a clone that is cut off, is not followed.
      if (lines === undefined) files.delete(path);
      else files.set(path, lines);
    }
    for (const parent of new Set(edits.parents)) this.#release(parent);
    if (children > 0) this.#files.set(edits.id, { files, waiting: children });
  }

  /** The lines of a commit's files; undefined for one that was not taken, or that nobody waits for. */
  filesOf(id: string): ReadonlyMap<string, EditedLines> | undefined {
    return this.#files.get(id)?.files;
  }

  /** The first parent's files, to go on from: its own where no other child wants them. */
  #begun(parent: string | undefined): Files {
    const known = parent === undefined ? undefined : this.#files.get(parent);
    if (known === undefined) return new Map();
    return known.waiting === 1 ? known.files : new Map(known.files);
  }

  #release(parent: string): void {
    const known = this.#files.get(parent);
    if (known !== undefined && --known.waiting === 0) this.#files.delete(parent);
  }
}

/** Lines on their way from a parent; of each is known whether it is as it was there, and whether it was there at all. */
interface Arriving {
  readonly lines: EditedLines;
  readonly how: Uint8Array;
}

const [isNew, isModified, isSame] = [0, 1, 2];

function fresh(length: number, number: number): Arriving {
  return {
    lines: { times: new Uint32Array(length), last: new Int32Array(length).fill(number), commits: 1 },
    how: new Uint8Array(length).fill(isNew),
  };
}

function hasAll({ times }: EditedLines, { replaced }: Source): boolean {
  return replaced.every(({ old }) => old[0] + old[1] <= times.length);
}

function arriving(old: EditedLines, { replaced }: Source, number: number): Arriving {
  if (replaced.length === 0) return { lines: old, how: new Uint8Array(old.times.length).fill(isSame) };
  const growth = replaced.reduce((sum, one) => sum + one.new[1] - one.old[1], 0);
  const { how, lines } = fresh(old.times.length + growth, number);
  const found = { how, lines: { ...lines, commits: old.commits + 1 } };
  const { times, last } = found.lines;
  let [oldAt, newAt] = [0, 0];
  const takeUntil = (end: number): void => {
    times.set(old.times.subarray(oldAt, end), newAt);
    last.set(old.last.subarray(oldAt, end), newAt);
    found.how.fill(isSame, newAt, newAt + end - oldAt);
    newAt += end - oldAt;
  };
  for (const one of replaced) {
    takeUntil(one.old[0]);
    for (const [at, from] of (one.from ?? []).entries()) {
      if (from < 0) continue;
      times[one.new[0] + at] = (old.times[one.old[0] + from] ?? 0) + 1;
      found.how[one.new[0] + at] = isModified;
    }
    oldAt = one.old[0] + one.old[1];
    newAt = one.new[0] + one.new[1];
  }
  takeUntil(old.times.length);
  return found;
}

/** Of two parents the one that has the line as it is says where it comes from, else the first that had it before. */
function joined(one: Arriving, other: Arriving): Arriving {
  const times = Uint32Array.from(one.lines.times);
  const last = Int32Array.from(one.lines.last);
  const how = Uint8Array.from(one.how);
  for (let at = 0; at < times.length; at++) {
    if ((other.how[at] ?? isNew) <= (how[at] ?? isNew)) continue;
    times[at] = other.lines.times[at] ?? 0;
    last[at] = other.lines.last[at] ?? 0;
    how[at] = other.how[at] ?? isNew;
  }
  return { lines: { times, last, commits: Math.max(one.lines.commits, other.lines.commits) }, how };
}
