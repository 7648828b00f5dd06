/** The smallest part of a set that does something, by halves, quarters and so on. */

export interface PartSearch<Item> {
  /** Into so many parts that have something in them, or fewer where there is too little. */
  readonly split: (items: readonly Item[], parts: number) => readonly (readonly Item[])[];
  /** A part that was found is split in two again, or as finely as the one before. */
  readonly afterHit: 'in two' | 'as finely';
  /** How much more finely it is split where no part does it: twice, or twice but never past single items. */
  readonly finer: 'doubled' | 'up to single items';
}

/**
 * The scheme of Algorithms 2 and 4 of AFTER (sections II.B and IV): a part, or all but a part, that is accepted is
 * searched further; where none is, parts are made smaller.
 *
 * What nobody accepts is asked about as a whole at the end: undefined if that is not accepted either.
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

/** Parts of nearly the same size, in order. */
export function evenParts<Item>(items: readonly Item[], parts: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.min(parts, items.length) }, (_, part) =>
    items.slice(
      Math.floor((part * items.length) / Math.min(parts, items.length)),
      Math.floor(((part + 1) * items.length) / Math.min(parts, items.length)),
    ),
  );
}

/**
 * What is left of a set that is accepted when no item of it can be left out any more: halves are left out first, then
 * quarters and so on, the last ones first; of few items, each by itself. Nothing at all is taken not to be accepted, and
 * so is what is in a set that was not.
 *
 * @param all accepted as a whole, the likeliest to be needed first
 * @param known sets that are not accepted
 */
export async function withoutNeedless<Item>(
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
