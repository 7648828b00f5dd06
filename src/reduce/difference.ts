/** The smallest difference between a set that passes and one that fails: delta debugging as A. Zeller describes it. */

import { evenParts } from './parts.js';

export type Tested = 'passes' | 'fails' | 'unresolved';

export interface Difference<Item> {
  /** The largest set seen to pass, and the smallest seen to fail that holds it. */
  readonly passing: readonly Item[];
  readonly failing: readonly Item[];
  /** What the one has and the other has not. */
  readonly difference: readonly Item[];
}

/**
 * `dd` of "Simplifying and isolating failure-inducing input" (Zeller and Hildebrandt 2002, Fig. 6): both sets move
 * towards one another, and a test that tells nothing makes the steps smaller. Of several parts the last is added and the
 * first taken away first, which is the order of AFTER's Fig. 9.
 *
 * @param all a set that fails, while the empty one passes
 * @param onLeft told before each step how many tests there are at least, with those of the step
 */
export async function smallestDifference<Item>(
  all: readonly Item[],
  test: (items: readonly Item[]) => Promise<Tested>,
  onLeft: (least: number) => void = () => {},
): Promise<Difference<Item>> {
  const inOrder = (chosen: ReadonlySet<Item>): readonly Item[] => all.filter((item) => chosen.has(item));
  let passing: ReadonlySet<Item> = new Set();
  let failing: ReadonlySet<Item> = new Set(all);
  for (let parts = 2; ; ) {
    const between = inOrder(failing).filter((item) => !passing.has(item));
    if (between.length < 2)
      return { passing: inOrder(passing), failing: inOrder(failing), difference: between };
    onLeft(leastTests(between.length, parts));
    const split = evenParts(between, parts);
    const step = await firstStep(split, passing, failing, (items) => test(inOrder(items)));
    if (step !== undefined) {
      ({ passing, failing } = step);
      parts = step.isHit ? 2 : Math.max(parts - 1, 2);
    } else if (parts < between.length) parts = Math.min(2 * parts, between.length);
    else return { passing: inOrder(passing), failing: inOrder(failing), difference: between };
  }
}

/** Where the next test comes down to the smallest part, and every other one halves that. */
function leastTests(items: number, parts: number): number {
  return 1 + Math.floor(Math.log2(Math.max(1, Math.floor(items / parts))));
}

interface Moved<Item> {
  readonly passing: ReadonlySet<Item>;
  readonly failing: ReadonlySet<Item>;
  /** It came down to a part, and not only past one. */
  readonly isHit: boolean;
}

async function firstStep<Item>(
  parts: readonly (readonly Item[])[],
  passing: ReadonlySet<Item>,
  failing: ReadonlySet<Item>,
  test: (items: ReadonlySet<Item>) => Promise<Tested>,
): Promise<Moved<Item> | undefined> {
  let past: Moved<Item> | undefined;
  for (const [at, first] of parts.entries()) {
    const last = parts.at(-1 - at) ?? first;
    const more = new Set([...passing, ...last]);
    const added = await test(more);
    if (added === 'fails') return { passing, failing: more, isHit: true };
    const dropped = new Set(first);
    const fewer = new Set([...failing].filter((item) => !dropped.has(item)));
    const taken = await test(fewer);
    if (taken === 'passes') return { passing: fewer, failing, isHit: true };
    if (added === 'passes') past ??= { passing: more, failing, isHit: false };
    if (taken === 'fails') past ??= { passing, failing: fewer, isHit: false };
  }
  return past;
}
