/** Makers of attempts on the command line, by kind of input. */

import type { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import type { Kind } from '../kinds.js';
import type { Sandbox } from '../sandbox.js';
import { sourceAttempt } from './c.js';
import { campaignAttempt } from './campaigns.js';
import { configAttempt } from './config.js';
import { formulaAttempt } from './formulas.js';
import { irAttempt } from './ir.js';
import { lineAttempt } from './lines.js';

export type AttemptMaker = (corpus: Corpus, random: Random, sandbox: Sandbox) => Attempt;

export const attemptMakers: Readonly<Record<Kind, AttemptMaker>> = {
  formulas: formulaAttempt,
  ir: irAttempt,
  c: sourceAttempt,
  campaigns: campaignAttempt,
  config: configAttempt,
  lines: lineAttempt,
};
