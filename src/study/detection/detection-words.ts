/** What Table 2's columns are called and filled with, on a terminal and on a page. */

import type { Spread } from './detection.js';

/** What is counted as a cause: what can be told without building anything, the paper's own measure, or releases. */
export type CauseMeasure = 'kinds' | 'commits' | 'releases';

/** The paper's name of the column is #Commit; what stands for commits has a name of its own. */
export const causeWords: Readonly<Record<CauseMeasure, string>> = {
  kinds: '#Kind',
  commits: '#Commit',
  releases: '#Release',
};

/** The columns of a row: how many were tried, met, and of how many causes. */
export const rowTitles = (measure: CauseMeasure): readonly string[] => [
  'formulas',
  '#Test min',
  'max',
  'avg',
  `${causeWords[measure]} min`,
  'max',
  'avg',
  'by luck',
];

export const publishedTitles: readonly string[] = ['#Test min', 'max', 'avg', '#Commit min', 'max', 'avg'];

export function spreadCells({ min, max, average }: Spread): readonly string[] {
  return [String(min), String(max), average.toFixed(1)];
}
