/** Zeller's delta debugging: the smallest difference between a passing and a failing set. */

import { evenParts } from './parts.js';

export type TestResult = 'passes' | 'fails' | 'unresolved';

export interface Difference<Item> {
  /** The largest passing set found, and the smallest failing superset of it. */
  readonly passing: readonly Item[];
  readonly failing: readonly Item[];
  /** The items of `failing` that `passing` lacks. */
  readonly difference: readonly Item[];
}

/**
 * `dd` of "Simplifying and isolating failure-inducing input" (Zeller and Hildebrandt 2002, Fig. 6). Both sets move
 * towards each other; if all tests are unresolved, the steps become smaller. The last part is added first and the
 * first part removed first, in the order of AFTER's Fig. 9.
 *
 * @param all a set that fails, while the empty set passes
 * @param onLeft receives, before each step, the minimum number of tests left, including the step's
 */
export async function smallestDifference<Item>(
  all: readonly Item[],
  test: (items: readonly Item[]) => Promise<TestResult>,
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
      parts = step.isPart ? 2 : Math.max(parts - 1, 2);
    } else if (parts < between.length) parts = Math.min(2 * parts, between.length);
    else return { passing: inOrder(passing), failing: inOrder(failing), difference: between };
  }
}

/** In the best case, the next test selects the smallest part and every further test halves it. */
function leastTests(items: number, parts: number): number {
  return 1 + Math.floor(Math.log2(Math.max(1, Math.floor(items / parts))));
}

interface DeltaStep<Item> {
  readonly passing: ReadonlySet<Item>;
  readonly failing: ReadonlySet<Item>;
  /** The step selected a part; otherwise it only excluded one. */
  readonly isPart: boolean;
}

async function firstStep<Item>(
  parts: readonly (readonly Item[])[],
  passing: ReadonlySet<Item>,
  failing: ReadonlySet<Item>,
  test: (items: ReadonlySet<Item>) => Promise<TestResult>,
): Promise<DeltaStep<Item> | undefined> {
  let past: DeltaStep<Item> | undefined;
  for (const [at, first] of parts.entries()) {
    const last = parts.at(-1 - at) ?? first;
    const more = new Set([...passing, ...last]);
    const added = await test(more);
    if (added === 'fails') return { passing, failing: more, isPart: true };
    const dropped = new Set(first);
    const fewer = new Set([...failing].filter((item) => !dropped.has(item)));
    const taken = await test(fewer);
    if (taken === 'passes') return { passing: fewer, failing, isPart: true };
    if (added === 'passes') past ??= { passing: more, failing, isPart: false };
    if (taken === 'fails') past ??= { passing, failing: fewer, isPart: false };
  }
  return past;
}
