import { visibleLine } from '../../machine/index.js';

const longest = 48;

/** A name with room in a chart; names come from a journal and may be of any length. */
export function shortLabel(name: string): string {
  const letters = [...visibleLine(name)];
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

/** The end of a name with room below a chart: versions of one path, and commits of one repository, differ there. */
export function endLabel(name: string, most: number): string {
  const letters = [...visibleLine(name)];
  return letters.length <= most ? letters.join('') : `…${letters.slice(1 - most).join('')}`;
}
