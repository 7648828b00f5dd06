/** Ranks from 1; equal values share the middle of their ranks. */
export function ranks(values: readonly number[]): readonly number[] {
  const result = new Array<number>(values.length).fill(0);
  for (const { from, members } of tieGroups(values))
    for (const at of members) result[at] = from + (members.length + 1) / 2;
  return result;
}

/** The sum of t³ - t over the groups of t equal values, by which ties lower the variance of a rank statistic. */
export function tieSum(values: readonly number[]): number {
  return tieGroups(values).reduce((sum, { members: { length } }) => sum + length ** 3 - length, 0);
}

/** The places of equal values, the smallest value first. */
function tieGroups(
  values: readonly number[],
): readonly { readonly from: number; readonly members: number[] }[] {
  const order = [...values.entries()].toSorted(([, a], [, b]) => a - b);
  const groups: { readonly from: number; readonly members: number[] }[] = [];
  let last: number | undefined;
  for (const [from, [at, value]] of order.entries()) {
    if (value === last) groups.at(-1)?.members.push(at);
    else groups.push({ from, members: [at] });
    last = value;
  }
  return groups;
}
