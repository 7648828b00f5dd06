/**
 * Removes pieces of a text while it still fails, halves first. Fast, but not minimal.
 *
 * @param most maximum number of calls of `stillFails`
 */
export async function shrink(
  text: string,
  stillFails: (smaller: string) => Promise<boolean>,
  most: number,
): Promise<string> {
  let smallest = text;
  let left = most;
  for (let size = Math.ceil(smallest.length / 2); size >= 1 && left > 0; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length && left > 0; ) {
      const smaller = smallest.slice(0, at) + smallest.slice(at + size);
      left--;
      if (await stillFails(smaller)) smallest = smaller;
      else at += size;
    }
  }
  return smallest;
}
