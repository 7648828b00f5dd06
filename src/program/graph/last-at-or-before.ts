/** Of ids from 0 on whose values rise, the last one whose value is not above a number; the first if all are. */
export function lastAtOrBefore<Id extends number>(
  count: number,
  valueAt: (id: Id) => number,
  number: number,
): Id {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (valueAt(middle as Id) <= number) low = middle;
    else high = middle - 1;
  }
  return low as Id;
}
