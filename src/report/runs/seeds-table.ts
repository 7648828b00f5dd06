import { type Ink, noInk, type Style, visibleLine } from '../../machine/index.js';
import { type Column, commonFolder, shortened, tableLines, tableWidth, width } from '../../page/index.js';
import type { SeedVerdict } from '../../solver/index.js';

export interface SeedsLines {
  /** Lines above the rows. */
  readonly header: readonly string[];
  readonly row: (formula: string, verdict: SeedVerdict) => string;
}

/**
 * The number of seeds on which each formula is slower. Each row can be printed as soon as it is measured.
 * @param screen the line width; unlimited if left out
 */
export function seedsLines(
  formulas: readonly string[],
  ink: Ink = noInk,
  screen = Number.POSITIVE_INFINITY,
): SeedsLines {
  const names = formulas.map(visibleLine);
  const others: readonly Column[] = [
    { title: 'slower on', align: 'right' },
    { title: 'shows on', width: 'only the default seed'.length, style: robustnessStyle },
  ];
  const room = Math.max(leastName, screen - tableWidth(others) - 2);
  const longest = names.reduce((most, name) => Math.max(most, width(name)), 0);
  const folder = longest > room ? (commonFolder(names) ?? '') : '';
  const { header, row } = tableLines(
    [{ title: 'formula', width: Math.min(longest - width(folder), room) }, ...others],
    ink,
  );
  return {
    header: [...(folder === '' ? [] : [`in ${folder}`]), header],
    row: (formula, { slower, tried, robustness }) =>
      row([
        shortened(visibleLine(formula).slice(folder.length), room),
        `${slower.length} of ${tried.length}`,
        robustness,
      ]),
  };
}

/** The shortest readable name. */
const leastName = 12;

function robustnessStyle(robustness: string): Style | undefined {
  if (robustness === 'no seed') return 'good';
  return robustness === 'every seed' || robustness === 'most seeds' ? 'bad' : 'doubtful';
}
