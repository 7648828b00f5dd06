/** Operators at fixed sorts: the productions for terms of each sort. */

import { addToList, itemAt } from '../collections.js';
import { sortKey } from '../printing/sort-key.js';
import { operatorsByName } from '../theories/index.js';
import { Bindings, fits, instantiate, type Operator, type SortPattern } from '../theories/signature.js';
import { type Identifier, identifier, index, type Sort } from '../tree.js';
import { type LiteralMaker, literalMaker } from './literal-source.js';
import type { ArgumentKind, OperatorUse } from './vocabulary.js';

/** One operator with its indices, at fixed sorts and number of arguments. Sorts are given by number. */
export interface Production {
  readonly fn: Identifier;
  readonly parameters: readonly number[];
  readonly kinds: readonly ArgumentKind[];
  readonly result: number;
}

export interface Grammar {
  readonly sorts: readonly Sort[];
  /** A sort's number by its `sortKey`. */
  readonly numbers: ReadonlyMap<string, number>;
  /** For each sort, the operators with that result, repeated by weight; each with all its instances. */
  readonly choices: readonly (readonly (readonly Production[])[])[];
  readonly byName: ReadonlyMap<string, readonly Production[]>;
  readonly literals: readonly (LiteralMaker | undefined)[];
  /** Productions by `shapeKey`; those of one shape can replace each other over the same arguments. */
  readonly byShape: ReadonlyMap<string, readonly Production[]>;
}

/** Operators with the same key can be exchanged without changing their arguments. */
export function shapeKey(parameters: readonly number[], result: number): string {
  return `${parameters.join(' ')}>${result}`;
}

export function grammarOf(sorts: readonly Sort[], uses: readonly OperatorUse[]): Grammar {
  const numbers = new Map(sorts.map((sort, i) => [sortKey(sort), i]));
  const choices: Production[][][] = sorts.map(() => []);
  const byName = new Map<string, Production[]>();
  const byShape = new Map<string, Production[]>();
  for (const use of uses) {
    const found = productionsOf(use, sorts, numbers);
    if (found.length > 0) byName.set(use.name, [...(byName.get(use.name) ?? []), ...found]);
    for (let result = 0; result < sorts.length; result++) {
      const instances = found.filter((production) => production.result === result);
      if (instances.length === 0) continue;
      for (let i = 0; i < use.weight; i++) choices[result]?.push(instances);
      for (const production of instances) {
        addToList(byShape, shapeKey(production.parameters, result), production);
      }
    }
  }
  return { sorts, numbers, choices, byName, byShape, literals: sorts.map(literalMaker) };
}

/** The grammar limited to some operators; sorts without any operator keep their variables and literals. */
export function restrictGrammar(
  grammar: Grammar,
  operators: ReadonlySet<string>,
): Pick<Grammar, 'choices' | 'literals'> {
  const choices = grammar.choices.map((all) =>
    all.filter(([first]) => first !== undefined && operators.has(first.fn.symbol)),
  );
  return { choices, literals: grammar.literals };
}

function productionsOf(
  use: OperatorUse,
  sorts: readonly Sort[],
  numbers: ReadonlyMap<string, number>,
): readonly Production[] {
  const found: Production[] = [];
  for (const operator of operatorsByName.get(use.name) ?? []) {
    const hasIndices = operator.indexNames.length > 0;
    if (operator.isOnlyRead) continue;
    if (operator.parameters.length === 0 || hasIndices !== (use.indices !== undefined)) continue;
    if (use.parameters !== undefined && operator.parameters.length !== use.parameters) continue;
    for (const parameters of assignments(operator, sorts)) {
      if (parameters.some((i) => use.avoids.has(itemAt(sorts, i).symbol))) continue;
      found.push(...instances(use, operator, parameters, sorts, numbers));
    }
  }
  return found;
}

/** All assignments of sorts (by number) to an operator's parameters. */
function assignments(operator: Operator, sorts: readonly Sort[]): readonly (readonly number[])[] {
  let partial: (readonly number[])[] = [[]];
  for (const pattern of operator.parameters) {
    partial = partial.flatMap((chosen) => {
      const extended: (readonly number[])[] = [];
      for (const [i, sort] of sorts.entries()) {
        const bound = bindingsOf(operator.parameters, chosen, sorts);
        if (fits(pattern, sort, bound)) extended.push([...chosen, i]);
      }
      return extended;
    });
  }
  return partial;
}

function bindingsOf(
  patterns: readonly SortPattern[],
  chosen: readonly number[],
  sorts: readonly Sort[],
): Bindings {
  const bound = new Bindings();
  chosen.forEach((at, i) => {
    fits(itemAt(patterns, i), itemAt(sorts, at), bound);
  });
  return bound;
}

/** An operator at given parameter sorts: with every choice of indices, and once with an additional argument. */
function instances(
  use: OperatorUse,
  operator: Operator,
  parameters: readonly number[],
  sorts: readonly Sort[],
  numbers: ReadonlyMap<string, number>,
): readonly Production[] {
  const found: Production[] = [];
  const add = (fn: Identifier, bound: Bindings): void => {
    const sort = operator.where(bound.numbers) ? instantiate(operator.result, bound) : undefined;
    const result = sort === undefined ? undefined : numbers.get(sortKey(sort));
    if (result === undefined) return;
    const kinds = parameters.map((_, i): ArgumentKind => use.kinds[i] ?? 'term');
    found.push({ fn, parameters, kinds, result });
    if (operator.shape !== 'fixed' && !use.isExact) {
      const last = itemAt(parameters, parameters.length - 1);
      found.push({ fn, parameters: [...parameters, last], kinds: [...kinds, 'term'], result });
    }
  };
  if (use.indices === undefined) {
    add(identifier(use.name), bindingsOf(operator.parameters, parameters, sorts));
    return found;
  }
  const from = widthOf(itemAt(sorts, itemAt(parameters, 0)));
  const tried = new Set<string>();
  for (const to of sorts) {
    for (const indices of use.indices(from, widthOf(to))) {
      if (indices.length !== operator.indexNames.length || tried.has(indices.join())) continue;
      tried.add(indices.join());
      const bound = bindingsOf(operator.parameters, parameters, sorts);
      operator.indexNames.forEach((name, i) => {
        bound.numbers.set(name, itemAt(indices, i));
      });
      add(identifier(use.name, indices.map(index)), bound);
    }
  }
  return found;
}

/** The width of a bit-vector sort; NaN for other sorts. */
function widthOf(sort: Sort): number {
  const [width] = sort.indices;
  return sort.symbol === 'BitVec' && width?.kind === 'numeral' ? Number(width.text) : Number.NaN;
}
