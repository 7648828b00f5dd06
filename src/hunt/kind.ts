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

/** Would a slowdown with these operators most likely be of that kind? */
export function covers(kind: Kind, answer: string, operators: ReadonlySet<string>): boolean {
  return (
    kind.answer === answer &&
    kind.operators.every((one) => operators.has(one)) &&
    (kind.operators.length > 0 || operators.size === 0)
  );
}

/**
 * Puts together what likely has one cause: cores with the same operators, and cores that have those of another and
 * some more, since shrinking may stop before it is done. The smallest sets lead.
 */
export function groupByKind<Item>(
  items: readonly Item[],
  kindOfItem: (item: Item) => Kind,
): readonly Item[][] {
  const groups: { readonly kind: Kind; readonly items: Item[] }[] = [];
  const inOrder = items
    .map((item, at) => ({ item, at, kind: kindOfItem(item) }))
    .toSorted((a, b) => a.kind.operators.length - b.kind.operators.length || a.at - b.at);
  for (const { item, kind } of inOrder) {
    const own = new Set(kind.operators);
    const home = groups.find(
      (group) => group.kind.since === kind.since && covers(group.kind, kind.answer, own),
    );
    if (home === undefined) groups.push({ kind, items: [item] });
    else home.items.push(item);
  }
  return groups.map((group) => group.items);
}
