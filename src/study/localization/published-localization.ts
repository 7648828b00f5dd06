/** Published figures of SPRFinder's paper on localization and triage. */

import type { Intention } from '../../history/index.js';

/** Table 3: seconds before and after a commit; the last row is the mean of the other three. */
export const publishedBeforeAfter = [
  { name: 'Z3Seq (published)', commits: 66, before: 0.7, after: 19.5, difference: 18.8 },
  { name: 'Z3Str3 (published)', commits: 61, before: 0.7, after: 20.0, difference: 19.3 },
  { name: 'CVC4 (published)', commits: 22, before: 3.1, after: 19.9, difference: 16.8 },
  { name: 'average (published)', commits: undefined, before: 1.5, after: 19.8, difference: 18.3 },
] as const;

export interface IntentionCounts {
  readonly name: string;
  readonly intentions: Readonly<Record<Intention, number>>;
  readonly compromise: number;
  readonly bug: number;
}

const row = (
  name: string,
  counts: readonly [number, number, number, number],
  compromise: number,
  bug: number,
) => ({
  name,
  intentions: {
    'program fix': counts[0],
    'algorithm update': counts[1],
    'theory selection': counts[2],
    unknown: counts[3],
  },
  compromise,
  bug,
});

/** Table 4; the last row is its column of totals. */
export const publishedIntentions: readonly IntentionCounts[] = [
  row('Z3Seq (published)', [29, 24, 4, 9], 11, 0),
  row('Z3Str3 (published)', [24, 26, 4, 7], 9, 0),
  row('CVC4 (published)', [4, 9, 0, 9], 4, 3),
  row('total (published)', [57, 59, 8, 25], 24, 3),
];

/** Fig. 6, according to the paper's text. */
export const publishedSpeedUp = 'published: SPRFinder localizes about 8 times as fast as git bisect';

/** Fig. 7, according to the paper's text. */
export const publishedExposed =
  'published: Z3Seq 15 cases expose 4 commits and 1 exposes 13; Z3Str3 from 1 to 12; CVC4 12 cases expose 1, at most 3';
