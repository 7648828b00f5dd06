/** Kinds of slowdowns: guesses at their causes, so that reports group formulas by likely cause. */

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
  /** The fast version's answer, because solvers search differently for models and for proofs. */
  readonly answer: string;
  /** Sorted operators of the core, without core-theory ones. */
  readonly operators: readonly string[];
  /** Number of the first slow version, since regressions may enter at different versions. */
  readonly since: number;
  /** The newest version's highest counter; undefined if it has none. */
  readonly busy?: Busy | undefined;
}

/** A solver counter that dominates the run. */
export interface Busy {
  readonly counter: string;
  /** All other counters are far lower: the solver is in one loop. */
  readonly isAlone: boolean;
}

/** Core-theory operators, which do not indicate a cause. */
const plain: ReadonlySet<string> = new Set(['and', 'or', 'not', '=>', 'xor', '=', 'distinct', 'ite']);

/** Operators that solvers rewrite into one another during preprocessing. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ...['<=', '>', '>='].map((name) => [name, '<'] as const),
  ['-', '+'],
  ['str.<=', 'str.<'],
  ['str.prefixof', 'str.suffixof'],
  ...['bvule', 'bvugt', 'bvuge'].map((name) => [name, 'bvult'] as const),
  ...['bvsle', 'bvsgt', 'bvsge'].map((name) => [name, 'bvslt'] as const),
]);

/** A formula's operators that may indicate a cause. */
export function tellingOperators(formula: Script): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of measure(formula).operators.keys())
    if (!plain.has(name)) found.add(sameAs.get(name) ?? name);
  return found;
}

/**
 * The operators in the formula's own spelling, such as `str.prefixof` for `str.suffixof`; absent ones are dropped.
 */
export function writtenIn(formula: Script, operators: readonly string[]): readonly string[] {
  const own = [...measure(formula).operators.keys()];
  const written = (operator: string): string | undefined =>
    own.includes(operator) ? operator : own.find((name) => sameAs.get(name) === operator);
  return operators.flatMap((operator) => written(operator) ?? []);
}

/** @param telling the core of the formula */
export function kindOf(telling: Script, runs: Runs, slowdown: Slowdown, slowness: Slowness): Kind {
  return {
    answer: runs[slowdown.reference]?.outcome ?? 'unknown',
    operators: [...tellingOperators(telling)].toSorted(),
    since: slowSince(runs, slowdown, slowness),
    busy: busyWith(runs),
  };
}

/**
 * The kind after its formula was reduced: operators that disappeared are not part of the cause. If the remaining
 * operators cannot identify the kind, it stays unchanged, so that no kind splits.
 */
export function sharpened(kind: Kind, reduced: Script): Kind {
  const left = tellingOperators(reduced);
  const operators = kind.operators.filter((operator) => left.has(operator));
  const before = new Set(signs(kind));
  const isPlain = operators.length === 0;
  return isPlain || !signs({ operators }).every((sign) => before.has(sign)) ? kind : { ...kind, operators };
}

/** A counter at least this many times as high as all others is alone. */
const aloneFactor = 5;

/** From the newest version's counters. */
export function busyWith(runs: Runs): Busy | undefined {
  const [first, ...others] = Object.entries(runs.at(-1)?.work ?? {});
  if (first === undefined) return undefined;
  const [counter, count] = first;
  return { counter, isAlone: others.every(([, other]) => count >= aloneFactor * other) };
}

function busyKey(busy: Busy | undefined): string {
  return busy === undefined ? '' : `${busy.isAlone ? 'only ' : ''}${busy.counter}`;
}

/** The version after the last fast one. */
function slowSince(runs: Runs, { referenceMs }: Slowdown, slowness: Slowness): number {
  const limitMs = referenceMs + thresholdOver(slowness, referenceMs);
  return runs.findLastIndex((run) => isAnswer(run) && spentMs(run) <= limitMs) + 1;
}

export function kindKey({ answer, operators, since, busy }: Kind): string {
  return `${since} ${answer} ${busyKey(busy)} ${operators.join(' ')}`;
}

/** Operators that connect others in most formulas. They identify a kind only if it has no other operators. */
const glue: ReadonlySet<string> = new Set(['<', '+', '*', 'str.++', 'str.len', 'str.in_re', 'str.to_re']);

/** The operators that identify a kind, sorted. */
function signs({ operators }: Pick<Kind, 'operators'>): readonly string[] {
  const telling = operators.filter((operator) => !glue.has(operator));
  return telling.length > 0 ? telling : operators;
}

/** Slowdowns with one likely cause. */
export interface KindGroup<Item> {
  /** The solver's loop. If set, `operators` holds the most common operator. */
  readonly loop: string | undefined;
  /** Operators that all formulas of the group contain; empty for plain logic. */
  readonly operators: readonly string[];
  readonly items: Filled<Item>;
}

/** A non-empty list. */
type Filled<Item> = readonly [Item, ...Item[]];

/**
 * Groups items by likely cause.
 *
 * If the solver is in one loop, the loop is the cause. Otherwise every operator of a shrunk formula is necessary: a
 * formula with all operators of another one and more, the same answer and the same first slow version is the same
 * slowdown. The groups are the minimal operator sets, and each formula belongs to a set that it contains.
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

/** Splits items by first slow version, and by loop or answer. */
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

/** Sets that contain no other set, the smaller first, then by name. */
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

/** The most common operator. */
function commonest(kinds: readonly Kind[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const operator of kinds.flatMap(signs)) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first === undefined ? [] : [first[0]];
}

/** Known kinds, to detect new ones. */
export class KnownKinds {
  readonly #loops: ReadonlySet<string>;
  readonly #sets: readonly { readonly part: string; readonly operators: readonly string[] }[];
  /** The smallest operator sets known to lead into a loop. */
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

  /** Operator sets of known slowdowns, and of known loops. */
  get wellTrodden(): readonly (readonly string[])[] {
    return [...this.sets, ...this.#ways];
  }

  /** The operator sets of known kinds. */
  get sets(): readonly (readonly string[])[] {
    return this.#sets.map(({ operators }) => operators);
  }

  /** Whether the kind is known. The kind of an unshrunk formula is a guess. */
  holds(kind: Kind): boolean {
    const part = partOf(kind);
    if (kind.busy?.isAlone) return this.#loops.has(part);
    const own = new Set(kind.operators);
    return this.#sets.some((known) => known.part === part && isPart(known.operators, own));
  }

  /** Whether a known kind contains this one's operators and more. */
  isSharpenedBy(kind: Kind): boolean {
    const part = partOf(kind);
    const own = signs(kind);
    return (
      !kind.busy?.isAlone &&
      this.#sets.some((known) => known.part === part && isPart(own, new Set(known.operators)))
    );
  }

  /** Whether a slowdown with these operators would likely be of a known kind. */
  isLikely(operators: ReadonlySet<string>): boolean {
    return this.#sets.some((known) => isPart(known.operators, operators));
  }
}

/** The empty set is part of the empty set only: plain logic is a kind of its own. */
function isPart(operators: readonly string[], all: ReadonlySet<string>): boolean {
  return operators.length === 0 ? all.size === 0 : operators.every((operator) => all.has(operator));
}
