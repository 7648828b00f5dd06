/** All strategies by name. To add one, add its value here. */

import { banditfuzzSpr } from './banditfuzz-spr.js';
import { culprit, culpritCoverage } from './culprit.js';
import {
  mulstringfuzz,
  mulstringfuzzDefaultCrowding,
  mulstringfuzzNoComplexity,
  mulstringfuzzNoCoverage,
  mulstringfuzzOnlyTime,
} from './mulstringfuzz.js';
import { random } from './random.js';
import { sprfinder } from './sprfinder.js';
import { sprfinderNoDtw } from './sprfinder-nodtw.js';
import { stringfuzz } from './stringfuzz.js';
import { stringfuzzDifference } from './stringfuzz-difference.js';

export const strategies = {
  culprit,
  'culprit-coverage': culpritCoverage,
  sprfinder,
  'sprfinder-nodtw': sprfinderNoDtw,
  'banditfuzz-spr': banditfuzzSpr,
  random,
  stringfuzz,
  'stringfuzz-difference': stringfuzzDifference,
  mulstringfuzz,
  'mulstringfuzz-only-time': mulstringfuzzOnlyTime,
  'mulstringfuzz-no-coverage': mulstringfuzzNoCoverage,
  'mulstringfuzz-no-complexity': mulstringfuzzNoComplexity,
  'mulstringfuzz-default-crowding': mulstringfuzzDefaultCrowding,
} as const;

export type StrategyName = keyof typeof strategies;

export const strategyNames: readonly StrategyName[] = Object.keys(strategies) as StrategyName[];
