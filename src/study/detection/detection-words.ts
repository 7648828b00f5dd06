/** Column titles and cells of Table 2, shared by text and page. */

import type { Spread } from './detection.js';

/** The measure that counts as a cause: kinds need no builds, commits are the paper's measure. */
export type CauseMeasure = 'kinds' | 'commits' | 'releases';

/** The paper's column is #Commit; its substitutes have other titles. */
export const causeWords: Readonly<Record<CauseMeasure, string>> = {
  kinds: '#Kind',
  commits: '#Commit',
  releases: '#Release',
};

export const rowTitles = (measure: CauseMeasure): readonly string[] => [
  'formulas',
  '#Test min',
  'max',
  'avg',
  `${causeWords[measure]} min`,
  'max',
  'avg',
  'p-value',
];

export const publishedTitles: readonly string[] = ['#Test min', 'max', 'avg', '#Commit min', 'max', 'avg'];

export function spreadCells({ min, max, average }: Spread): readonly string[] {
  return [String(min), String(max), average.toFixed(1)];
}
