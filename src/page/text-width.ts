/** Number of code points; file names may hold more than ASCII. */
export function width(text: string): number {
  return [...text].length;
}

/** Keeps the beginning and twice as much of the end, since ends differ more. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const end = Math.ceil((2 * (most - 1)) / 3);
  return `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(-end).join('')}`;
}
