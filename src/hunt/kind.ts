/** What kind of slowdown a formula shows: a guess at its cause, so that fifty formulas of one kind read as one. */

import { measure } from '../smtlib/measure.js';
import type { Script } from '../smtlib/tree.js';
import { isAnswer, type Runs, type Slowdown, type Slowness, thresholdOver } from '../solver/slowness.js';

export interface Kind {
  /** What the quick version answers: solvers look for models and for proofs in different ways. */
  readonly answer: string;
  /** The operators of the shrunk formula, sorted; those every formula has are left out. */
  readonly operators: readonly string[];
  /** The first version that is slow, by number: where more than two are compared, they came in at different times. */
  readonly since: number;
  /** What the newest version was busiest with, by its own counters; undefined where it does not tell. */
  readonly busy?: Busy | undefined;
}

/** The counter of a solver's own that is highest. */
export interface Busy {
  readonly counter: string;
  /** It did next to nothing else: it goes round in a loop. */
  readonly isAlone: boolean;
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
  const busy = busyWith(runs);
  return {
    answer: runs[slowdown.reference]?.outcome ?? 'unknown',
    operators: [...tellingOperators(core)].toSorted(),
    since: slowSince(runs, slowdown, slowness),
    ...(busy === undefined ? {} : { busy }),
  };
}

/** A counter this many times as high as any other is alone. */
const aloneFactor = 5;

/** By the newest version's counters. */
export function busyWith(runs: Runs): Busy | undefined {
  const [highest, second] = Object.entries(runs.at(-1)?.work ?? {}).toSorted(
    ([a, many], [b, more]) => more - many || (a < b ? -1 : 1),
  );
  if (highest === undefined) return undefined;
  const [counter, count] = highest;
  return { counter, isAlone: count >= aloneFactor * (second?.[1] ?? 0) };
}

function busyKey(busy: Busy | undefined): string {
  return busy === undefined ? '' : `${busy.isAlone ? 'only ' : ''}${busy.counter}`;
}

/** The version after the last one that is quick. */
function slowSince(runs: Runs, { referenceMs }: Slowdown, slowness: Slowness): number {
  const limitMs = referenceMs + thresholdOver(slowness, referenceMs);
  return runs.findLastIndex((run) => isAnswer(run) && run.wallMs <= limitMs) + 1;
}

export function kindKey({ answer, operators, since, busy }: Kind): string {
  return `${since} ${answer} ${busyKey(busy)} ${operators.join(' ')}`;
}

/**
 * Operators that hold others together in most formulas, and so in most that are slow. They are blamed only where
 * there is nothing else to blame.
 */
const glue: ReadonlySet<string> = new Set(['<', '+', '*', 'str.++', 'str.len', 'str.in_re', 'str.to_re']);

/** What a group of slowdowns has in common. */
export interface BlameGroup<Item> {
  /** What the newest version was busiest with. */
  readonly busy: Busy | undefined;
  /** The one most of them share; undefined for formulas of plain logic. */
  readonly operator: string | undefined;
  readonly items: readonly Item[];
}

/**
 * Puts together what likely has one cause: what became slow at the same version, keeps the solver busy with the same
 * thing, and has an operator in common. The fewest operators are looked for that all such slowdowns can be blamed on,
 * the one that most of them share first. What is shrunk holds an operator only because it is needed, so formulas that
 * share a telling one are most likely slow for one reason, whatever else they need to get there. Where the solver does
 * one thing alone, that loop is the reason, whatever led there.
 */
export function groupByBlame<Item>(
  items: readonly Item[],
  kindOfItem: (item: Item) => Kind,
): readonly BlameGroup<Item>[] {
  return [...alike(items, kindOfItem).values()].flatMap((some) => {
    const { busy } = kindOfItem(some[0] as Item);
    const groups: BlameGroup<Item>[] = [];
    for (let left = some; left.length > 0; ) {
      const operator = mostShared(left.map((item) => kindOfItem(item).operators));
      const isBlamed = (item: Item): boolean =>
        busy?.isAlone === true || operator === undefined || kindOfItem(item).operators.includes(operator);
      groups.push({ busy, operator, items: left.filter(isBlamed) });
      left = left.filter((item) => !isBlamed(item));
    }
    return groups;
  });
}

/** Those that became slow at the same version and are busy with the same. */
function alike<Item>(items: readonly Item[], kindOfItem: (item: Item) => Kind): Map<string, Item[]> {
  const parts = new Map<string, Item[]>();
  for (const item of items) {
    const { since, busy } = kindOfItem(item);
    const key = `${since} ${busyKey(busy)}`;
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [item]);
    else part.push(item);
  }
  return parts;
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

/** What known kinds are blamed on: operators, each with what the solver is busy with on them, and loops. */
export class Blame {
  readonly #known: ReadonlySet<string>;
  /** Whatever the solver is busy with. */
  readonly operators: ReadonlySet<string>;

  constructor(kinds: readonly Kind[]) {
    const groups = groupByBlame(kinds, (kind) => kind);
    this.operators = new Set(groups.flatMap(({ operator }) => operator ?? []));
    this.#known = new Set(groups.map(({ busy, operator = '' }) => blameKey(busy, operator)));
  }

  /** Would a slowdown with these operators, busy with this, be one of the known kinds? */
  covers(operators: Iterable<string>, busy: Busy | undefined): boolean {
    const keys = busy?.isAlone ? [blameKey(busy, '')] : [...operators].map((one) => blameKey(busy, one));
    return keys.some((key) => this.#known.has(key));
  }
}

function blameKey(busy: Busy | undefined, operator: string): string {
  return busy?.isAlone ? busyKey(busy) : `${busyKey(busy)} ${operator}`;
}
