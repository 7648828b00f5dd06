import { visibleLine } from '../machine/index.js';
import type { SeedVerdict } from '../solver/index.js';
import { tableLine } from './table.js';

/** Under how many seeds each formula is slower, line by line: each row can be printed as soon as it is known. */
export function seedsLines(formulas: readonly string[]): {
  readonly header: string;
  readonly row: (formula: string, verdict: SeedVerdict) => string;
} {
  const longestName = formulas.reduce((most, name) => Math.max(most, [...visibleLine(name)].length), 0);
  const line = tableLine([
    { title: 'formula', width: longestName },
    { title: 'slower on', align: 'right' },
    { title: 'shows on' },
  ]);
  return {
    header: line(['formula', 'slower on', 'shows on']),
    row: (formula, { slower, tried, robustness }) =>
      line([formula, `${slower.length} of ${tried.length}`, robustness]),
  };
}
