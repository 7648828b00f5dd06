import { operator, type Theory } from './signature.js';

const set = '(Set X)';
const bag = '(Bag X)';

/** Finite sets and bags, as cvc5 has them; the bare names are CVC4's. */
export const sets: Theory = {
  name: 'Sets',
  sorts: [
    { symbol: 'Set', indices: 0, args: 1 },
    { symbol: 'Bag', indices: 0, args: 1 },
  ],
  operators: [
    ...['set.empty', 'set.universe', 'emptyset', 'univset'].map((name) => operator(name, '', set)),
    ...['set.singleton', 'singleton'].map((name) => operator(name, 'X', set)),
    ...['set.union', 'set.inter', 'set.minus', 'union', 'intersection', 'setminus'].map((name) =>
      operator(name, `${set} ${set}`, set, { shape: 'left' }),
    ),
    ...['set.member', 'member'].map((name) => operator(name, `X ${set}`, 'Bool')),
    ...['set.subset', 'subset'].map((name) => operator(name, `${set} ${set}`, 'Bool')),
    ...['set.complement', 'complement'].map((name) => operator(name, set, set)),
    ...['set.card', 'card'].map((name) => operator(name, set, 'Int')),
    operator('set.insert', `X ${set}`, set),
    operator('set.insert', `X X ${set}`, set),
    operator('set.insert', `X X X ${set}`, set),
    operator('set.choose', set, 'X'),
    operator('set.is_empty', set, 'Bool'),
    operator('set.is_singleton', set, 'Bool'),
    operator('bag.empty', '', bag),
    operator('bag', 'X Int', bag),
    ...['bag.union_max', 'bag.union_disjoint', 'bag.inter_min'].map((name) =>
      operator(name, `${bag} ${bag}`, bag, { shape: 'left' }),
    ),
    ...['bag.difference_subtract', 'bag.difference_remove'].map((name) =>
      operator(name, `${bag} ${bag}`, bag),
    ),
    operator('bag.subbag', `${bag} ${bag}`, 'Bool'),
    operator('bag.count', `X ${bag}`, 'Int'),
    operator('bag.member', `X ${bag}`, 'Bool'),
    operator('bag.card', bag, 'Int'),
    operator('bag.choose', bag, 'X'),
    operator('bag.setof', bag, bag),
    operator('bag.duplicate_removal', bag, bag),
  ],
};
