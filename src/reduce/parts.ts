/** Searches for the smallest subset with a property, by halves, quarters and so on. */

export interface PartSearch<Item> {
  /** Splits items into at most this many non-empty parts. */
  readonly split: (items: readonly Item[], parts: number) => readonly (readonly Item[])[];
  /** After a success, split in two again, or as finely as before. */
  readonly afterHit: 'in two' | 'as finely';
  /** After a round without success, double the number of parts, with or without the number of items as limit. */
  readonly finer: 'doubled' | 'up to single items';
}

/**
 * The scheme of Algorithms 2 and 4 of AFTER (sections II.B and IV): a part, or the complement of a part, that is
 * accepted is searched further; if none is accepted, the parts become smaller.
 *
 * If nothing smaller was accepted, the whole is tested at the end; undefined if that is not accepted either.
 */
export async function smallestPart<Item>(
  all: readonly Item[],
  accepts: (part: readonly Item[]) => Promise<boolean>,
  { split, afterHit, finer }: PartSearch<Item>,
): Promise<readonly Item[] | undefined> {
  let items = all;
  let isAccepted = false;
  for (let parts = 2; items.length >= parts; ) {
    const found = await firstAccepted(split(items, parts), items, accepts);
    if (found !== undefined) {
      items = found;
      isAccepted = true;
      if (afterHit === 'in two') parts = 2;
      else if (finer === 'up to single items') parts = Math.max(2, Math.min(parts, items.length));
    } else {
      const next = 2 * parts;
      if (finer === 'doubled') parts = next;
      else if (parts >= items.length) break;
      else parts = Math.min(next, items.length);
    }
  }
  return isAccepted || (await accepts(items)) ? items : undefined;
}

async function firstAccepted<Item>(
  parts: readonly (readonly Item[])[],
  items: readonly Item[],
  accepts: (part: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[] | undefined> {
  for (const part of parts) {
    if (part.length === items.length) continue;
    if (await accepts(part)) return part;
    const inside = new Set(part);
    const rest = items.filter((item) => !inside.has(item));
    if (await accepts(rest)) return rest;
  }
  return undefined;
}

export function evenParts<Item>(items: readonly Item[], parts: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.min(parts, items.length) }, (_, part) =>
    items.slice(
      Math.floor((part * items.length) / Math.min(parts, items.length)),
      Math.floor(((part + 1) * items.length) / Math.min(parts, items.length)),
    ),
  );
}

/**
 * Removes items until no item can be removed: halves first, then quarters and so on, last ones first; sets of few
 * items one by one. The empty set and subsets of rejected sets count as rejected without a test.
 *
 * @param all a set that is accepted, most necessary items first
 * @param known sets that are not accepted
 */
export async function removeUnneeded<Item>(
  all: readonly Item[],
  accepts: (part: readonly Item[]) => Promise<boolean>,
  known: readonly ReadonlySet<Item>[] = [],
): Promise<readonly Item[]> {
  let items = all;
  const refused: ReadonlySet<Item>[] = [new Set(), ...known];
  for (let size = all.length <= fewItems ? 1 : Math.ceil(all.length / 2); size >= 1; size = halfOf(size))
    for (let to = items.length; to > 0; to -= size) {
      const rest = [...items.slice(0, Math.max(0, to - size)), ...items.slice(to)];
      if (refused.some((set) => rest.every((item) => set.has(item)))) continue;
      if (await accepts(rest)) items = rest;
      else refused.push(new Set(rest));
    }
  return items;
}

const fewItems = 5;

function halfOf(size: number): number {
  return size === 1 ? 0 : Math.ceil(size / 2);
}
