/** Binary search in ascending values: the last id whose value is at most `number`, or 0 if there is none. */
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
