/** Counts the edits of each line of a version by following it through its file's history (SMTLOC, 2.3.2). */

import type { CommitEdits, Source } from './commit-edits.js';

export interface EditedLines {
  /** Edits of each line after it was first written. */
  readonly times: Uint32Array;
  /** Number of the commit that wrote or edited the line last. */
  readonly last: Int32Array;
  /** Commits that changed the file, across renames. */
  readonly commits: number;
}

type Files = Map<string, EditedLines>;

/** Receives commits, parents first. It keeps a commit's lines until all its children have arrived. */
export class LineHistory {
  readonly #files = new Map<string, { readonly files: Files; waiting: number }>();
  #count = 0;

  /** @param children origins many children are still to come; the final commit counts as having one */
  add(edits: CommitEdits, children: number): void {
    const number = this.#count++;
    const parents = edits.parents.map((parent) => this.#files.get(parent)?.files ?? new Map());
    const made = edits.files.map(({ path, length = 0, from }) => {
      const known = from.flatMap((source) => {
        const lines = parents[source.parent]?.get(source.path);
        return lines === undefined || !hasAll(lines, source) ? [] : [inherit(lines, source, number)];
      });
      const [first, ...others] = from.length === 0 ? [fresh(length, number)] : known;
      return [path, first && others.reduce(merge, first).lines] as const;
    });
    const files = this.#takeParentFiles(edits.parents[0]);
    for (const path of edits.gone) files.delete(path);
    for (const [path, lines] of made) {
      // A file whose origin is missing, as in a shallow clone, is not followed.
      if (lines === undefined) files.delete(path);
      else files.set(path, lines);
    }
    for (const parent of new Set(edits.parents)) this.#release(parent);
    if (children > 0) this.#files.set(edits.id, { files, waiting: children });
  }

  /** The lines of a commit's files; undefined if the commit is unknown or was released. */
  filesOf(id: string): ReadonlyMap<string, EditedLines> | undefined {
    return this.#files.get(id)?.files;
  }

  /** The first parent's files to modify: a copy, unless this is the last child. */
  #takeParentFiles(parent: string | undefined): Files {
    const known = parent === undefined ? undefined : this.#files.get(parent);
    if (known === undefined) return new Map();
    return known.waiting === 1 ? known.files : new Map(known.files);
  }

  #release(parent: string): void {
    const known = this.#files.get(parent);
    if (known !== undefined && --known.waiting === 0) this.#files.delete(parent);
  }
}

/** A file's lines as inherited from one parent, with the origin of each line. */
interface InheritedLines {
  readonly lines: EditedLines;
  readonly origins: Uint8Array;
}

/** A larger number is preferred when parents are merged. */
const lineOrigins = { inserted: 0, modified: 1, unchanged: 2 } as const;

function fresh(length: number, number: number): InheritedLines {
  return {
    lines: { times: new Uint32Array(length), last: new Int32Array(length).fill(number), commits: 1 },
    origins: new Uint8Array(length).fill(lineOrigins.inserted),
  };
}

function hasAll({ times }: EditedLines, { replaced }: Source): boolean {
  return replaced.every(({ old }) => old[0] + old[1] <= times.length);
}

function inherit(old: EditedLines, { replaced }: Source, number: number): InheritedLines {
  if (replaced.length === 0)
    return { lines: old, origins: new Uint8Array(old.times.length).fill(lineOrigins.unchanged) };
  const growth = replaced.reduce((sum, one) => sum + one.new[1] - one.old[1], 0);
  const { origins, lines } = fresh(old.times.length + growth, number);
  const found = { origins, lines: { ...lines, commits: old.commits + 1 } };
  const { times, last } = found.lines;
  let [oldAt, newAt] = [0, 0];
  const takeUntil = (end: number): void => {
    times.set(old.times.subarray(oldAt, end), newAt);
    last.set(old.last.subarray(oldAt, end), newAt);
    found.origins.fill(lineOrigins.unchanged, newAt, newAt + end - oldAt);
    newAt += end - oldAt;
  };
  for (const one of replaced) {
    takeUntil(one.old[0]);
    for (const [at, from] of (one.from ?? []).entries()) {
      if (from < 0) continue;
      times[one.new[0] + at] = (old.times[one.old[0] + from] ?? 0) + 1;
      found.origins[one.new[0] + at] = lineOrigins.modified;
    }
    oldAt = one.old[0] + one.old[1];
    newAt = one.new[0] + one.new[1];
  }
  takeUntil(old.times.length);
  return found;
}

/** Prefers the parent with the unchanged line, else the first parent with an earlier form of it. */
function merge(one: InheritedLines, other: InheritedLines): InheritedLines {
  const times = Uint32Array.from(one.lines.times);
  const last = Int32Array.from(one.lines.last);
  const origins = Uint8Array.from(one.origins);
  for (let at = 0; at < times.length; at++) {
    if ((other.origins[at] ?? lineOrigins.inserted) <= (origins[at] ?? lineOrigins.inserted)) continue;
    times[at] = other.lines.times[at] ?? 0;
    last[at] = other.lines.last[at] ?? 0;
    origins[at] = other.origins[at] ?? lineOrigins.inserted;
  }
  return { lines: { times, last, commits: Math.max(one.lines.commits, other.lines.commits) }, origins };
}
