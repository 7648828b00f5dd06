/** How often each line of a file was executed, from the regions on it, by llvm-cov's rule. */

import type { RegionKind } from './coverage-map.js';
import type { CountedRegion } from './region-counts.js';

/** From here to the next one, something was executed so often. */
interface Segment {
  readonly line: number;
  readonly column: number;
  /** Undefined where nothing is counted. */
  readonly count: number | undefined;
  readonly isEntry: boolean;
  readonly isGap: boolean;
}

/** By line; only lines that something is known of. */
export function lineCounts(regions: readonly CountedRegion[]): ReadonlyMap<number, number> {
  const segments = segmentsOf(combined(regions.toSorted(byNesting)));
  const counts = new Map<number, number>();
  let wrapped: Segment | undefined;
  let next = 0;
  const [first] = segments;
  for (let line = first?.line ?? 0; next < segments.length; line++) {
    const start = next;
    while (next < segments.length && segments[next]?.line === line) next++;
    const here = segments.slice(start, next);
    const count = countOfLine(here, wrapped);
    if (count !== undefined) counts.set(line, count);
    wrapped = here.at(-1) ?? wrapped;
  }
  return counts;
}

function countOfLine(here: readonly Segment[], wrapped: Segment | undefined): number | undefined {
  const [first] = here;
  const entries = here.filter(({ isEntry, isGap, count }) => isEntry && !isGap && count !== undefined);
  const isSkipped = first !== undefined && first.count === undefined && first.isEntry;
  if (isSkipped || (wrapped?.count === undefined && entries.length === 0)) return undefined;
  return entries.reduce((most, { count = 0 }) => Math.max(most, count), wrapped?.count ?? 0);
}

type Place = readonly [line: number, column: number];

const startOf = ({ startLine, startColumn }: CountedRegion): Place => [startLine, startColumn];
const endOf = ({ endLine, endColumn }: CountedRegion): Place => [endLine, endColumn];
const order = (a: Place, b: Place): number => a[0] - b[0] || a[1] - b[1];
const isSame = (a: Place, b: Place): boolean => order(a, b) === 0;

const kinds: readonly RegionKind[] = ['code', 'expansion', 'skipped', 'gap'];

/** By where they begin, larger ones first. */
function byNesting(a: CountedRegion, b: CountedRegion): number {
  return (
    order(startOf(a), startOf(b)) ||
    order(endOf(b), endOf(a)) ||
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind)
  );
}

/** Regions in the same place are one: instances of a template, a macro that is used in several places. */
function combined(regions: readonly CountedRegion[]): readonly CountedRegion[] {
  const found: CountedRegion[] = [];
  for (const region of regions) {
    const last = found.at(-1);
    if (last === undefined || !isSame(startOf(last), startOf(region)) || !isSame(endOf(last), endOf(region)))
      found.push(region);
    else if (last.kind === region.kind)
      found[found.length - 1] = { ...last, count: last.count + region.count };
  }
  return found;
}

function segmentsOf(regions: readonly CountedRegion[]): readonly Segment[] {
  const growing = new GrowingSegments();
  regions.forEach((region, at) => {
    growing.add(region, regions[at + 1]);
  });
  growing.finish();
  return growing.segments;
}

/** LLVM's SegmentBuilder: regions are nested or apart; of those that are open, the innermost counts. */
class GrowingSegments {
  readonly segments: Segment[] = [];
  #open: CountedRegion[] = [];

  add(region: CountedRegion, next: CountedRegion | undefined): void {
    const start = startOf(region);
    const isOver = (one: CountedRegion): boolean => order(endOf(one), start) <= 0;
    const over = this.#open.filter(isOver);
    if (over.length > 0)
      this.#close(
        this.#open.filter((one) => !isOver(one)),
        over,
        start,
      );
    const isEntry = region.kind !== 'gap';
    const inner = this.#open.at(-1);
    if (isSame(start, endOf(region))) {
      const isSkipped = next === undefined || region.kind === 'skipped';
      this.#start(inner ?? region, start, isEntry, isSkipped);
      if (isSkipped && inner !== undefined) this.#start(inner, start, false);
      return;
    }
    if (next === undefined || !isSame(start, startOf(next))) this.#start(region, start, isEntry);
    this.#open.push(region);
  }

  finish(): void {
    if (this.#open.length > 0) this.#close([], this.#open, undefined);
  }

  #close(open: CountedRegion[], over: readonly CountedRegion[], place: Place | undefined): void {
    const closed = over.toSorted((a, b) => order(endOf(a), endOf(b)));
    for (let at = 1; at < closed.length; at++) {
      const [before, region] = [closed[at - 1], closed[at]];
      if (before === undefined || region === undefined) continue;
      const end = endOf(before);
      if (place !== undefined && isSame(end, place)) break;
      if (isSame(end, endOf(region))) continue;
      const last = closed.findLast((other, later) => later >= at && isSame(endOf(other), endOf(region)));
      this.#start(last ?? region, end, false);
    }
    const [last, around] = [closed.at(-1), open.at(-1)];
    if (last !== undefined) {
      const isGapAfter = place === undefined || !isSame(place, endOf(last));
      if (around !== undefined && isGapAfter) this.#start(around, endOf(last), false);
      else if (around === undefined && isGapAfter) this.#start(last, endOf(last), false, true);
    }
    this.#open = open;
  }

  #start({ kind, count }: CountedRegion, [line, column]: Place, isEntry: boolean, isSkipped = false): void {
    const shown = isSkipped || kind === 'skipped' ? undefined : count;
    const last = this.segments.at(-1);
    if (!isEntry && !isSkipped && last !== undefined && last.count === shown && !last.isEntry) return;
    this.segments.push({ line, column, count: shown, isEntry, isGap: shown !== undefined && kind === 'gap' });
  }
}
