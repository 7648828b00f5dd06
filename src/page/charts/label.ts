import { visibleLine } from '../../machine/index.js';

const longest = 48;

/** Shortens a name for a chart; names in a journal may have any length. */
export function shortLabel(name: string): string {
  const letters = [...visibleLine(name)];
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

/** The end of a name: versions with one path, and commits of one repository, differ there. */
export function endLabel(name: string, most: number): string {
  const letters = [...visibleLine(name)];
  return letters.length <= most ? letters.join('') : `…${letters.slice(1 - most).join('')}`;
}
