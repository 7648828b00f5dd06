import { visibleLine } from '../machine/index.js';
import type { SeedVerdict } from '../solver/index.js';
import { tableLines, width } from './table.js';

/** Under how many seeds each formula is slower, line by line: each row can be printed as soon as it is known. */
export function seedsLines(formulas: readonly string[]): {
  readonly header: string;
  readonly row: (formula: string, verdict: SeedVerdict) => string;
} {
  const room = formulas.reduce((most, name) => Math.max(most, width(visibleLine(name))), 0);
  const { header, row } = tableLines([
    { title: 'formula', width: room },
    { title: 'slower on', align: 'right' },
    { title: 'shows on' },
  ]);
  return {
    header,
    row: (formula, { slower, tried, robustness }) =>
      row([formula, `${slower.length} of ${tried.length}`, robustness]),
  };
}
