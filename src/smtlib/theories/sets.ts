import {
  type ComputedOperator,
  onlyRead,
  operator,
  operators,
  sameSort,
  type Theory,
  unknownSort,
} from './signature.js';

const set = '(Set X)';
const bag = '(Bag X)';
const binarySetNames = 'set.union set.inter set.minus union intersection setminus';
const binaryBagNames =
  'bag.union_max bag.union_disjoint bag.inter_min bag.difference_subtract bag.difference_remove';

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
  sorts: [
    { symbol: 'Set', indices: 0, args: 1 },
    { symbol: 'Bag', indices: 0, args: 1 },
  ],
  operators: [
    ...operators('set.empty set.universe emptyset univset', '', set),
    // cvc5's default element sort is Bool.
    ...operators('set.empty set.universe', '', '(Set Bool)', onlyRead),
    ...operators('set.singleton singleton', 'X', set),
    ...operators(binarySetNames, `${set} ${set}`, set, { shape: 'left' }),
    ...operators(binarySetNames, set, set, onlyRead),
    ...operators('set.member member', `X ${set}`, 'Bool'),
    ...operators('set.subset subset', `${set} ${set}`, 'Bool'),
    ...operators('set.complement complement', set, set),
    ...operators('set.card card', set, 'Int'),
    ...operators('set.choose choose', set, 'X'),
    operator('set.map', `(-> X Y) ${set}`, '(Set Y)'),
    operator('set.filter', `(-> X Bool) ${set}`, set),
    ...operators('set.all set.some', `(-> X Bool) ${set}`, 'Bool'),
    operator('set.fold', `(-> X Y Y) Y ${set}`, 'Y'),
    ...operators('set.is_empty set.is_singleton', set, 'Bool'),
    operator('bag.empty', '', bag),
    operator('bag.empty', '', '(Bag Bool)', onlyRead),
    operator('bag', 'X Int', bag),
    ...operators(binaryBagNames, `${bag} ${bag}`, bag, { shape: 'left' }),
    operator('bag.map', `(-> X Y) ${bag}`, '(Bag Y)'),
    operator('bag.filter', `(-> X Bool) ${bag}`, bag),
    ...operators('bag.all bag.some', `(-> X Bool) ${bag}`, 'Bool'),
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
    ...operators('bag.setof bag.duplicate_removal', bag, bag),
  ],
  computed: ['set.insert', 'insert'].map(inserting),
};
