/** How often the regions of a function were entered, from its counters. */

import type { MappedFunction, Region } from './coverage-map.js';

export interface CountedRegion extends Region {
  readonly count: number;
}

/** @param counts of its counters; none for a function of which nothing is known, which was not executed */
export function countedRegions(
  { files, expressions, regions }: MappedFunction,
  counts: readonly number[],
): readonly CountedRegion[] {
  const counters = new Counters(expressions, counts);
  return withExpansions(regions, files.length).map((region) => ({
    ...region,
    count: Math.max(0, counters.valueOf(region.counter)),
  }));
}

/** Counters as the map writes them: the lowest two bits say what the rest is a number of. */
class Counters {
  readonly #known = new Map<number, number>();

  constructor(
    private readonly expressions: MappedFunction['expressions'],
    private readonly counts: readonly number[],
  ) {}

  /** Without recursion: of a function with thousands of branches, one expression leads to the next. */
  valueOf(counter: number): number {
    const begun = new Set<number>();
    const waiting = [counter];
    for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
      const parts = this.#isKnown(top) ? [] : this.#partsOf(top).filter((part) => !this.#isKnown(part));
      begun.add(top);
      // One that leads to itself is worth nothing, and ends.
      const left = parts.filter((part) => !begun.has(part));
      if (left.length > 0) {
        waiting.push(...left);
        continue;
      }
      if (!this.#isKnown(top)) {
        const [one = 0, other = 0] = this.#partsOf(top).map((part) => this.#now(part));
        this.#known.set(top, top % 4 === difference ? one - other : one + other);
      }
      waiting.pop();
    }
    return this.#now(counter);
  }

  #isKnown(counter: number): boolean {
    return counter % 4 < difference || this.#known.has(counter);
  }

  #now(counter: number): number {
    if (counter % 4 === 0) return 0;
    return (counter % 4 === 1 ? this.counts[Math.floor(counter / 4)] : this.#known.get(counter)) ?? 0;
  }

  #partsOf(counter: number): readonly number[] {
    const expression = this.expressions[Math.floor(counter / 4)];
    return expression === undefined ? [] : [expression.left, expression.right];
  }
}

/** 0 is nothing, 1 a counter, 3 a sum. */
const difference = 2;

/** An expansion is entered as often as the first region of what is expanded there; one may lie in another. */
function withExpansions(regions: readonly Region[], files: number): readonly Region[] {
  const counters = regions.map(({ counter }) => counter);
  for (let pass = 1; pass < files; pass++) {
    const waiting = new Map<number, number>();
    regions.forEach(({ kind, expanded }, at) => {
      if (kind === 'expansion') waiting.set(expanded, at);
    });
    regions.forEach(({ file }, at) => {
      const expansion = waiting.get(file);
      if (expansion === undefined) return;
      counters[expansion] = counters[at] ?? 0;
      waiting.delete(file);
    });
  }
  return regions.map((region, at) => ({ ...region, counter: counters[at] ?? 0 }));
}
