/** What kind of slowdown a formula shows: a guess at its cause, so that fifty formulas of one kind read as one. */

import { measure, type Script } from '../smtlib/index.js';
import {
  isAnswer,
  type Runs,
  type Slowdown,
  type Slowness,
  spentMs,
  thresholdOver,
} from '../solver/index.js';

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

/** The counter of a solver's own that says most about what it was busy with. */
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

/** Some of those as the formula writes them, without what it does not hold: `str.suffixof` may be a `str.prefixof`. */
export function writtenIn(formula: Script, operators: readonly string[]): readonly string[] {
  const own = [...measure(formula).operators.keys()];
  const written = (operator: string): string | undefined =>
    own.includes(operator) ? operator : own.find((name) => sameAs.get(name) === operator);
  return operators.flatMap((operator) => written(operator) ?? []);
}

/**
 * @param telling what makes the formula slow: the formula itself, shrunk as far as it stays slow
 * @param runs of the formula
 */
export function kindOf(telling: Script, runs: Runs, slowdown: Slowdown, slowness: Slowness): Kind {
  return {
    answer: runs[slowdown.reference]?.outcome ?? 'unknown',
    operators: [...tellingOperators(telling)].toSorted(),
    since: slowSince(runs, slowdown, slowness),
    busy: busyWith(runs),
  };
}

/**
 * A kind told by a formula that was reduced further: what it does without is not part of the cause. Operators that
 * plainer ones took the place of stay where nothing else would tell the kind, so that a kind never falls apart.
 */
export function sharpened(kind: Kind, reduced: Script): Kind {
  const left = tellingOperators(reduced);
  const operators = kind.operators.filter((operator) => left.has(operator));
  const before = new Set(signs(kind));
  const isPlain = operators.length === 0;
  return isPlain || !signs({ operators }).every((sign) => before.has(sign)) ? kind : { ...kind, operators };
}

/** A counter this many times as high as any other is alone. */
const aloneFactor = 5;

/** By the newest version's counters. */
export function busyWith(runs: Runs): Busy | undefined {
  const [first, ...others] = Object.entries(runs.at(-1)?.work ?? {});
  if (first === undefined) return undefined;
  const [counter, count] = first;
  return { counter, isAlone: others.every(([, other]) => count >= aloneFactor * other) };
}

function busyKey(busy: Busy | undefined): string {
  return busy === undefined ? '' : `${busy.isAlone ? 'only ' : ''}${busy.counter}`;
}

/** The version after the last one that is quick. */
function slowSince(runs: Runs, { referenceMs }: Slowdown, slowness: Slowness): number {
  const limitMs = referenceMs + thresholdOver(slowness, referenceMs);
  return runs.findLastIndex((run) => isAnswer(run) && spentMs(run) <= limitMs) + 1;
}

export function kindKey({ answer, operators, since, busy }: Kind): string {
  return `${since} ${answer} ${busyKey(busy)} ${operators.join(' ')}`;
}

/**
 * Operators that hold others together in most formulas, and so in most that are slow. They tell one cause from another
 * only where there is nothing else.
 */
const glue: ReadonlySet<string> = new Set(['<', '+', '*', 'str.++', 'str.len', 'str.in_re', 'str.to_re']);

/** The operators a kind can be told by, sorted. */
function signs({ operators }: Pick<Kind, 'operators'>): readonly string[] {
  const telling = operators.filter((operator) => !glue.has(operator));
  return telling.length > 0 ? telling : operators;
}

/** What a group of slowdowns has in common. */
export interface KindGroup<Item> {
  /** The loop the newest version goes round in; then the operators are those that most often lead there. */
  readonly loop: string | undefined;
  /** What every formula of the group holds; nothing for formulas of plain logic. */
  readonly operators: readonly string[];
  readonly items: Filled<Item>;
}

/** At least one of them. */
type Filled<Item> = readonly [Item, ...Item[]];

/**
 * Puts together what likely has one cause.
 *
 * Where the solver goes round in a loop, that loop is the cause, whatever led there. Otherwise a shrunk formula holds
 * an operator only because it is needed: one that needs all operators of another and more, with the same answer and
 * slow since the same version, is the same again. So the kinds are the smallest sets of operators, and each formula
 * belongs to one that it contains.
 */
export function groupByKind<Item>(
  items: readonly Item[],
  kindOfItem: (item: Item) => Kind,
): readonly KindGroup<Item>[] {
  return [...alike(items, kindOfItem).values()].flatMap((some): KindGroup<Item>[] => {
    const { busy } = kindOfItem(some[0]);
    if (busy?.isAlone)
      return [{ loop: busy.counter, operators: commonest(some.map(kindOfItem)), items: some }];
    const smallest = minimalSets(some.map((item) => signs(kindOfItem(item))));
    const members = new Map<readonly string[], [Item, ...Item[]]>();
    for (const item of some) {
      const own = new Set(signs(kindOfItem(item)));
      const home = smallest.find((operators) => isPart(operators, own));
      if (home === undefined) continue;
      const others = members.get(home);
      if (others === undefined) members.set(home, [item]);
      else others.push(item);
    }
    return smallest.flatMap((operators): KindGroup<Item>[] => {
      const own = members.get(operators);
      return own === undefined ? [] : [{ loop: undefined, operators, items: own }];
    });
  });
}

/** Those that may be of one kind: slow since the same version, and in the same loop or with the same answer. */
function alike<Item>(items: readonly Item[], kindOfItem: (item: Item) => Kind): Map<string, Filled<Item>> {
  const parts = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = partOf(kindOfItem(item));
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [item]);
    else part.push(item);
  }
  return parts;
}

function partOf({ since, busy, answer }: Kind): string {
  return `${since} ${busy?.isAlone ? `in ${busy.counter}` : answer}`;
}

/** Those no other is part of: the smaller first, by name where they are equal. */
function minimalSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const distinct = new Map(sets.map((set) => [set.join(' '), set]));
  const inOrder = [...distinct].toSorted(([a, x], [b, y]) => x.length - y.length || (a < b ? -1 : 1));
  const minimal: (readonly string[])[] = [];
  for (const [, set] of inOrder) {
    const own = new Set(set);
    if (!minimal.some((smaller) => isPart(smaller, own))) minimal.push(set);
  }
  return minimal;
}

/** The operator most of them hold, to call a loop by. */
function commonest(kinds: readonly Kind[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const operator of kinds.flatMap(signs)) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first === undefined ? [] : [first[0]];
}

/** What is known of kinds, to tell whether something is new. */
export class KnownKinds {
  readonly #loops: ReadonlySet<string>;
  readonly #sets: readonly { readonly part: string; readonly operators: readonly string[] }[];
  /** The smallest sets of operators that were seen to lead into a loop. */
  readonly #ways: readonly (readonly string[])[];

  constructor(kinds: readonly Kind[]) {
    const groups = groupByKind(kinds, (kind) => kind);
    const loops = groups.filter(({ loop }) => loop !== undefined);
    this.#loops = new Set(loops.map(({ items: [first] }) => partOf(first)));
    this.#ways = loops.flatMap(({ items }) => minimalSets(items.map(signs)));
    this.#sets = groups
      .filter(({ loop }) => loop === undefined)
      .map(({ operators, items: [first] }) => ({ part: partOf(first), operators }));
  }

  /** The sets of operators that make known slowdowns, or lead into known loops. */
  get wellTrodden(): readonly (readonly string[])[] {
    return [...this.sets, ...this.#ways];
  }

  /** The sets of operators that slowdowns are known by. */
  get sets(): readonly (readonly string[])[] {
    return this.#sets.map(({ operators }) => operators);
  }

  /** Is this one of the known kinds? Of a formula that is not shrunk, it may be something else all the same. */
  holds(kind: Kind): boolean {
    const part = partOf(kind);
    if (kind.busy?.isAlone) return this.#loops.has(part);
    const own = new Set(kind.operators);
    return this.#sets.some((known) => known.part === part && isPart(known.operators, own));
  }

  /** Is this one of the known kinds, told by fewer operators than before? */
  isSharpenedBy(kind: Kind): boolean {
    const part = partOf(kind);
    const own = signs(kind);
    return (
      !kind.busy?.isAlone &&
      this.#sets.some((known) => known.part === part && isPart(own, new Set(known.operators)))
    );
  }

  /** Would a slowdown with these operators likely be a known one? */
  isLikely(operators: ReadonlySet<string>): boolean {
    return this.#sets.some((known) => isPart(known.operators, operators));
  }
}

/** Nothing is part of nothing only: formulas of plain logic are a kind of their own. */
function isPart(operators: readonly string[], all: ReadonlySet<string>): boolean {
  return operators.length === 0 ? all.size === 0 : operators.every((operator) => all.has(operator));
}
