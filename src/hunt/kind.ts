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
  readonly busy?: DominantCounter | undefined;
}

/** A solver counter that dominates the run. */
export interface DominantCounter {
  readonly counter: string;
  /** All other counters are far lower: the solver is in one loop. */
  readonly isAlone: boolean;
}

/** Core-theory operators, which do not indicate a cause. */
const coreTheoryOperators: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  '=>',
  'xor',
  '=',
  'distinct',
  'ite',
]);

/** Operators that solvers rewrite into one another during preprocessing. */
const canonicalOperators: ReadonlyMap<string, string> = new Map([
  ...['<=', '>', '>='].map((name) => [name, '<'] as const),
  ['-', '+'],
  ['str.<=', 'str.<'],
  ['str.prefixof', 'str.suffixof'],
  ...['bvule', 'bvugt', 'bvuge'].map((name) => [name, 'bvult'] as const),
  ...['bvsle', 'bvsgt', 'bvsge'].map((name) => [name, 'bvslt'] as const),
]);

/** A formula's operators that may indicate a cause. */
export function significantOperators(formula: Script): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of measure(formula).operators.keys())
    if (!coreTheoryOperators.has(name)) found.add(canonicalOperators.get(name) ?? name);
  return found;
}

/**
 * The operators in the formula's own spelling, such as `str.prefixof` for `str.suffixof`; absent ones are dropped.
 */
export function operatorsAsWritten(formula: Script, operators: readonly string[]): readonly string[] {
  const own = [...measure(formula).operators.keys()];
  const written = (operator: string): string | undefined =>
    own.includes(operator) ? operator : own.find((name) => canonicalOperators.get(name) === operator);
  return operators.flatMap((operator) => written(operator) ?? []);
}

/** @param cause the core of the formula */
export function kindOf(cause: Script, runs: Runs, slowdown: Slowdown, slowness: Slowness): Kind {
  return {
    answer: runs[slowdown.reference]?.outcome ?? 'unknown',
    operators: [...significantOperators(cause)].toSorted(),
    since: slowSince(runs, slowdown, slowness),
    busy: dominantCounter(runs),
  };
}

/**
 * The kind after its formula was reduced: operators that disappeared are not part of the cause. If the remaining
 * operators cannot identify the kind, it stays unchanged, so that no kind splits.
 */
export function refinedKind(kind: Kind, reduced: Script): Kind {
  const left = significantOperators(reduced);
  const operators = kind.operators.filter((operator) => left.has(operator));
  const before = new Set(identifyingOperators(kind));
  const isPlain = operators.length === 0;
  return isPlain || !identifyingOperators({ operators }).every((sign) => before.has(sign))
    ? kind
    : { ...kind, operators };
}

/** A counter at least this many times as high as all others is alone. */
const aloneFactor = 5;

/** From the newest version's counters. */
export function dominantCounter(runs: Runs): DominantCounter | undefined {
  const [first, ...others] = Object.entries(runs.at(-1)?.work ?? {});
  if (first === undefined) return undefined;
  const [counter, count] = first;
  return { counter, isAlone: others.every(([, other]) => count >= aloneFactor * other) };
}

function busyKey(busy: DominantCounter | undefined): string {
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
const connectingOperators: ReadonlySet<string> = new Set([
  '<',
  '+',
  '*',
  'str.++',
  'str.len',
  'str.in_re',
  'str.to_re',
]);

/** The operators that identify a kind, sorted. */
function identifyingOperators({ operators }: Pick<Kind, 'operators'>): readonly string[] {
  const identifying = operators.filter((operator) => !connectingOperators.has(operator));
  return identifying.length > 0 ? identifying : operators;
}

/** Slowdowns with one likely cause. */
export interface KindGroup<Item> {
  /** The solver's loop. If set, `operators` holds the most common operator. */
  readonly loop: string | undefined;
  /** Operators that all formulas of the group contain; empty for plain logic. */
  readonly operators: readonly string[];
  readonly items: NonEmpty<Item>;
}

/** A non-empty list. */
type NonEmpty<Item> = readonly [Item, ...Item[]];

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
  return [...partitions(items, kindOfItem).values()].flatMap((some): KindGroup<Item>[] => {
    const { busy } = kindOfItem(some[0]);
    if (busy?.isAlone)
      return [{ loop: busy.counter, operators: mostCommonOperator(some.map(kindOfItem)), items: some }];
    const smallest = minimalSets(some.map((item) => identifyingOperators(kindOfItem(item))));
    const members = new Map<readonly string[], [Item, ...Item[]]>();
    for (const item of some) {
      const own = new Set(identifyingOperators(kindOfItem(item)));
      const home = smallest.find((operators) => isSubset(operators, own));
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
function partitions<Item>(
  items: readonly Item[],
  kindOfItem: (item: Item) => Kind,
): Map<string, NonEmpty<Item>> {
  const parts = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = partitionKey(kindOfItem(item));
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [item]);
    else part.push(item);
  }
  return parts;
}

function partitionKey({ since, busy, answer }: Kind): string {
  return `${since} ${busy?.isAlone ? `in ${busy.counter}` : answer}`;
}

/** Sets that contain no other set, the smaller first, then by name. */
function minimalSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const distinct = new Map(sets.map((set) => [set.join(' '), set]));
  const inOrder = [...distinct].toSorted(([a, x], [b, y]) => x.length - y.length || (a < b ? -1 : 1));
  const minimal: (readonly string[])[] = [];
  for (const [, set] of inOrder) {
    const own = new Set(set);
    if (!minimal.some((smaller) => isSubset(smaller, own))) minimal.push(set);
  }
  return minimal;
}

/** The most common operator. */
function mostCommonOperator(kinds: readonly Kind[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const operator of kinds.flatMap(identifyingOperators))
    counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first === undefined ? [] : [first[0]];
}

/** Known kinds, to detect new ones. */
export class KnownKinds {
  readonly #loops: ReadonlySet<string>;
  readonly #sets: readonly { readonly part: string; readonly operators: readonly string[] }[];
  /** The smallest operator sets known to lead into a loop. */
  readonly #loopSets: readonly (readonly string[])[];

  constructor(kinds: readonly Kind[]) {
    const groups = groupByKind(kinds, (kind) => kind);
    const loops = groups.filter(({ loop }) => loop !== undefined);
    this.#loops = new Set(loops.map(({ items: [first] }) => partitionKey(first)));
    this.#loopSets = loops.flatMap(({ items }) => minimalSets(items.map(identifyingOperators)));
    this.#sets = groups
      .filter(({ loop }) => loop === undefined)
      .map(({ operators, items: [first] }) => ({ part: partitionKey(first), operators }));
  }

  /** Operator sets of known slowdowns, and of known loops. */
  get avoidableSets(): readonly (readonly string[])[] {
    return [...this.sets, ...this.#loopSets];
  }

  /** The operator sets of known kinds. */
  get sets(): readonly (readonly string[])[] {
    return this.#sets.map(({ operators }) => operators);
  }

  /** Whether the kind is known. The kind of an unshrunk formula is a guess. */
  includes(kind: Kind): boolean {
    const part = partitionKey(kind);
    if (kind.busy?.isAlone) return this.#loops.has(part);
    const own = new Set(kind.operators);
    return this.#sets.some((known) => known.part === part && isSubset(known.operators, own));
  }

  /** Whether a known kind contains this one's operators and more. */
  isRefinedBy(kind: Kind): boolean {
    const part = partitionKey(kind);
    const own = identifyingOperators(kind);
    return (
      !kind.busy?.isAlone &&
      this.#sets.some((known) => known.part === part && isSubset(own, new Set(known.operators)))
    );
  }

  /** Whether a slowdown with these operators would likely be of a known kind. */
  isLikely(operators: ReadonlySet<string>): boolean {
    return this.#sets.some((known) => isSubset(known.operators, operators));
  }
}

/** The empty set is part of the empty set only: plain logic is a kind of its own. */
function isSubset(operators: readonly string[], all: ReadonlySet<string>): boolean {
  return operators.length === 0 ? all.size === 0 : operators.every((operator) => all.has(operator));
}
