import {
  type ComputedOperator,
  onlyRead,
  operator,
  sameSort,
  type Theory,
  unknownSort,
} from './signature.js';

const set = '(Set X)';
const bag = '(Bag X)';

/** `(set.insert 1 2 3 s)`: any number of elements, then the set. */
const inserting = (name: string): ComputedOperator => ({
  name,
  sortOf: (_, args) => {
    const [last, elements] = [args.at(-1), args.slice(0, -1)];
    if (last === undefined || elements.length === 0) return undefined;
    const of = last.symbol === 'Set' ? last.args[0] : undefined;
    if (last !== unknownSort && of === undefined) return undefined;
    return elements.every((element) => of === undefined || sameSort(element, of)) ? last : undefined;
  },
});

/** cvc5's finite sets and bags; bare names are CVC4's. */
export const sets: Theory = {
  name: 'Sets',
  sorts: [
    { symbol: 'Set', indices: 0, args: 1 },
    { symbol: 'Bag', indices: 0, args: 1 },
  ],
  operators: [
    ...['set.empty', 'set.universe', 'emptyset', 'univset'].map((name) => operator(name, '', set)),
    // cvc5's default element sort is Bool.
    ...['set.empty', 'set.universe'].map((name) => operator(name, '', '(Set Bool)', onlyRead)),
    ...['set.singleton', 'singleton'].map((name) => operator(name, 'X', set)),
    ...['set.union', 'set.inter', 'set.minus', 'union', 'intersection', 'setminus'].map((name) =>
      operator(name, `${set} ${set}`, set, { shape: 'left' }),
    ),
    ...['set.member', 'member'].map((name) => operator(name, `X ${set}`, 'Bool')),
    ...['set.subset', 'subset'].map((name) => operator(name, `${set} ${set}`, 'Bool')),
    ...['set.complement', 'complement'].map((name) => operator(name, set, set)),
    ...['set.card', 'card'].map((name) => operator(name, set, 'Int')),
    ...['set.union', 'set.inter', 'set.minus', 'union', 'intersection', 'setminus'].map((name) =>
      operator(name, set, set, onlyRead),
    ),
    ...['set.choose', 'choose'].map((name) => operator(name, set, 'X')),
    operator('set.map', `(-> X Y) ${set}`, '(Set Y)'),
    operator('set.filter', `(-> X Bool) ${set}`, set),
    operator('set.all', `(-> X Bool) ${set}`, 'Bool'),
    operator('set.some', `(-> X Bool) ${set}`, 'Bool'),
    operator('set.fold', `(-> X Y Y) Y ${set}`, 'Y'),
    operator('set.is_empty', set, 'Bool'),
    operator('set.is_singleton', set, 'Bool'),
    operator('bag.empty', '', bag),
    operator('bag.empty', '', '(Bag Bool)', onlyRead),
    operator('bag', 'X Int', bag),
    ...['bag.union_max', 'bag.union_disjoint', 'bag.inter_min'].map((name) =>
      operator(name, `${bag} ${bag}`, bag, { shape: 'left' }),
    ),
    ...['bag.difference_subtract', 'bag.difference_remove'].map((name) =>
      operator(name, `${bag} ${bag}`, bag, { shape: 'left' }),
    ),
    operator('bag.map', `(-> X Y) ${bag}`, '(Bag Y)'),
    operator('bag.filter', `(-> X Bool) ${bag}`, bag),
    operator('bag.all', `(-> X Bool) ${bag}`, 'Bool'),
    operator('bag.some', `(-> X Bool) ${bag}`, 'Bool'),
    operator('bag.fold', `(-> X Y Y) Y ${bag}`, 'Y'),
    operator('bag.partition', `(-> X X Bool) ${bag}`, '(Bag (Bag X))'),
    operator('bag.from_set', set, bag),
    operator('bag.to_set', bag, set),
    operator('bag.is_singleton', bag, 'Bool'),
    operator('bag.subbag', `${bag} ${bag}`, 'Bool'),
    operator('bag.count', `X ${bag}`, 'Int'),
    operator('bag.member', `X ${bag}`, 'Bool'),
    operator('bag.card', bag, 'Int'),
    operator('bag.choose', bag, 'X'),
    operator('bag.setof', bag, bag),
    operator('bag.duplicate_removal', bag, bag),
  ],
  computed: ['set.insert', 'insert'].map(inserting),
};
