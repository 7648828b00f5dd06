/** What kind of slowdown a formula shows: a guess at its cause, so that fifty formulas of one kind read as one. */

import { measure } from '../smtlib/measure.js';
import type { Script } from '../smtlib/tree.js';
import { isAnswer, type Runs, type Slowdown, type Slowness, thresholdOver } from './slowness.js';

export interface Kind {
  /** What the quick version answers: solvers look for models and for proofs in different ways. */
  readonly answer: string;
  /** The operators of the shrunk formula, sorted; those every formula has are left out. */
  readonly operators: readonly string[];
  /** The first version that is slow, by number: where more than two are compared, they came in at different times. */
  readonly since: number;
}

/** Operators that say nothing about the cause. */
const plain: ReadonlySet<string> = new Set(['and', 'or', 'not', '=>', 'xor', '=', 'distinct', 'ite']);

/** Operators a solver turns into one another first of all. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ...['<=', '>', '>='].map((name) => [name, '<'] as const),
  ['-', '+'],
  ['str.<=', 'str.<'],
  ['str.prefixof', 'str.suffixof'],
  ...['bvule', 'bvugt', 'bvuge'].map((name) => [name, 'bvult'] as const),
  ...['bvsle', 'bvsgt', 'bvsge'].map((name) => [name, 'bvslt'] as const),
]);

/** The operators of a formula that could have to do with a cause. */
export function tellingOperators(formula: Script): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of measure(formula).operators.keys())
    if (!plain.has(name)) found.add(sameAs.get(name) ?? name);
  return found;
}

/** @param core the formula, shrunk as far as it stays slow */
export function kindOf(core: Script, runs: Runs, slowdown: Slowdown, slowness: Slowness): Kind {
  return {
    answer: runs[slowdown.reference]?.outcome ?? 'unknown',
    operators: [...tellingOperators(core)].toSorted(),
    since: slowSince(runs, slowdown, slowness),
  };
}

/** The version after the last one that is quick. */
function slowSince(runs: Runs, { referenceMs }: Slowdown, slowness: Slowness): number {
  const limitMs = referenceMs + thresholdOver(slowness, referenceMs);
  return runs.findLastIndex((run) => isAnswer(run) && run.wallMs <= limitMs) + 1;
}

export function kindKey({ answer, operators, since }: Kind): string {
  return `${since} ${answer} ${operators.join(' ')}`;
}

/**
 * Operators that hold others together in most formulas, and so in most that are slow. They are blamed only where
 * there is nothing else to blame.
 */
const glue: ReadonlySet<string> = new Set(['<', '+', '*', 'str.++', 'str.len', 'str.in_re', 'str.to_re']);

/** What a group of slowdowns has in common. */
export interface BlameGroup<Item> {
  /** Undefined for formulas of plain logic. */
  readonly operator: string | undefined;
  readonly items: readonly Item[];
}

/**
 * Puts together what likely has one cause: the fewest operators are looked for that all slowdowns can be blamed on,
 * the one that most of them share first. What is shrunk holds an operator only because it is needed, so formulas that
 * share a telling one are most likely slow for one reason, whatever else they need to get there.
 */
export function groupByBlame<Item>(
  items: readonly Item[],
  kindOfItem: (item: Item) => Kind,
): readonly BlameGroup<Item>[] {
  const groups: BlameGroup<Item>[] = [];
  for (const since of new Set(items.map((item) => kindOfItem(item).since))) {
    let left = items.filter((item) => kindOfItem(item).since === since);
    while (left.length > 0) {
      const operator = mostShared(left.map((item) => kindOfItem(item).operators));
      const isBlamed = (item: Item): boolean =>
        operator === undefined || kindOfItem(item).operators.includes(operator);
      groups.push({ operator, items: left.filter(isBlamed) });
      left = left.filter((item) => !isBlamed(item));
    }
  }
  return groups;
}

/** Glue counts for less than any one formula's own operator. */
const glueWeight = 0.001;

function mostShared(sets: readonly (readonly string[])[]): string | undefined {
  const weights = new Map<string, number>();
  for (const set of sets) {
    for (const one of set) weights.set(one, (weights.get(one) ?? 0) + (glue.has(one) ? glueWeight : 1));
  }
  let best: string | undefined;
  // By name where they are equal, so that the order of the slowdowns makes no difference.
  for (const one of [...weights.keys()].toSorted()) {
    if (best === undefined || (weights.get(one) ?? 0) > (weights.get(best) ?? 0)) best = one;
  }
  return best;
}

/** The operators that these kinds are blamed on. */
export function blamedOperators(kinds: readonly Kind[]): readonly string[] {
  return groupByBlame(kinds, (kind) => kind).flatMap(({ operator }) => operator ?? []);
}
