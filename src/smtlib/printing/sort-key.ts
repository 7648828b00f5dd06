import type { Sort } from '../tree.js';
import { printSort } from './print.js';

const keys = new WeakMap<Sort, string>();

/** A text that is equal for equal sorts only, for use as a map key. */
export function sortKey(sort: Sort): string {
  if (sort.args.length === 0) {
    if (sort.indices.length === 0) return sort.symbol;
    const [only] = sort.indices;
    if (sort.indices.length === 1 && only?.kind === 'numeral') return `(_ ${sort.symbol} ${only.text})`;
  }
  let key = keys.get(sort);
  if (key === undefined) {
    key = printSort(sort);
    keys.set(sort, key);
  }
  return key;
}
