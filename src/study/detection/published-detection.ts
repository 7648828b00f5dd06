/** SPRFinder's Table 2 as published: 12 hours, five repeats, 10 s slower of 20. */

import type { StrategyName } from '../../hunt/index.js';
import type { Spread } from './detection.js';

export interface PublishedRow {
  readonly strategy: StrategyName;
  readonly solver: 'Z3Seq' | 'Z3Str3' | 'CVC4';
  readonly tests: Spread;
  readonly commits: Spread;
}

const spread = (min: number, max: number, average: number): Spread => ({ min, max, average });

export const publishedDetection: readonly PublishedRow[] = [
  { strategy: 'sprfinder', solver: 'Z3Seq', tests: spread(359, 371, 362.4), commits: spread(49, 51, 49.8) },
  { strategy: 'sprfinder', solver: 'Z3Str3', tests: spread(221, 238, 232.6), commits: spread(24, 26, 25.2) },
  { strategy: 'sprfinder', solver: 'CVC4', tests: spread(52, 68, 59.2), commits: spread(9, 11, 10) },
  {
    strategy: 'sprfinder-nodtw',
    solver: 'Z3Seq',
    tests: spread(330, 346, 337),
    commits: spread(42, 44, 43.6),
  },
  {
    strategy: 'sprfinder-nodtw',
    solver: 'Z3Str3',
    tests: spread(213, 224, 218.4),
    commits: spread(19, 20, 19.2),
  },
  { strategy: 'sprfinder-nodtw', solver: 'CVC4', tests: spread(46, 49, 47.4), commits: spread(8, 9, 8.2) },
  {
    strategy: 'banditfuzz-spr',
    solver: 'Z3Seq',
    tests: spread(170, 192, 186),
    commits: spread(38, 42, 40.2),
  },
  {
    strategy: 'banditfuzz-spr',
    solver: 'Z3Str3',
    tests: spread(183, 191, 187.5),
    commits: spread(17, 20, 18.6),
  },
  { strategy: 'banditfuzz-spr', solver: 'CVC4', tests: spread(31, 39, 35.6), commits: spread(4, 7, 5.2) },
  { strategy: 'random', solver: 'Z3Seq', tests: spread(146, 161, 157.2), commits: spread(36, 43, 39.8) },
  { strategy: 'random', solver: 'Z3Str3', tests: spread(133, 142, 137.6), commits: spread(17, 19, 18.2) },
  { strategy: 'random', solver: 'CVC4', tests: spread(22, 28, 24), commits: spread(1, 4, 2) },
];
