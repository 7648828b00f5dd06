/** A formula's assertions on one line, for summaries. */
export function oneLineFormula(text: string, longest = 160): string {
  const line = text
    .split('\n')
    .filter((line) => line.startsWith('(assert'))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
