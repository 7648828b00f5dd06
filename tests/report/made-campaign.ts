/** A synthetic campaign with the same text in every place that an untrusted campaign controls. */

import { caseId } from '../../src/campaign/index.js';
import { HuntCollector, type HuntData, type HuntEvent, type HuntSettings } from '../../src/hunt/index.js';

export interface Strange {
  /** Prefix of version names. */
  readonly version: string;
  readonly formula: string;
  /** Operators, actions, parameters, constants, messages. */
  readonly word: string;
}

export const ordinary: Strange = {
  version: 'z3@4.8.',
  formula: '(assert (str.< "a" x))\n(check-sat)\n',
  word: 'str.indexof',
};

export function settingsOf({ version, word }: Strange): HuntSettings {
  return {
    format: 1,
    culprit: word,
    strategy: 'culprit',
    options: { [word]: word },
    versions: [`${version}1`, `${version}2`],
    builds: [word, word],
    seed: 7,
    workers: 2,
    logic: 'QF_SLIA',
    slowness: { noise: { floorMs: 20, relative: 0.1 }, thresholdMs: 1000, timeoutMs: 2000 },
    memoryBytes: 2 * (1 << 30),
    forMs: 60_000,
    confirming: 'during',
    confirmedPerKind: 3,
    corpus: [],
    known: [],
  };
}

const quick = { wallMs: 16, effort: 7435, answers: ['sat' as const], outcome: 'sat' as const };
const slow = { wallMs: 2001, answers: [], outcome: 'timeout' as const };

/** Ranked files with untrusted names. */
function located(anomaly: number, word: string): HuntEvent {
  const file = {
    name: word,
    rank: 1,
    score: 0.5,
    executed: 3,
    witnesses: 1.5,
    edits: 2,
    commits: 4,
    stack: 1,
  };
  return {
    event: 'located',
    at: 4000,
    oddity: anomaly,
    version: 1,
    isAssumed: anomaly === 1,
    on: word,
    result: {
      kind: 'ranked',
      says: word,
      counts: 'lines',
      tried: 20,
      failing: 4,
      witnesses: 6,
      files: [file],
      functions: [{ name: word, rank: 1, score: 0.5 }],
    },
  };
}

/**
 * Two confirmed slowdowns of one kind, a disagreement, a wrong model, a crash and an error, and ranked files for two
 * of them.
 */
export function eventsOf({ formula, word }: Strange): readonly HuntEvent[] {
  const kind = { answer: 'sat', operators: [word], since: 1 };
  const slowdown = (number: number): HuntEvent[] => [
    {
      event: 'slowdown',
      at: 1000 * number,
      slowdown: caseId(number),
      by: word,
      text: `${number}${formula}`,
      original: `original ${formula}`,
      runs: [quick, { ...slow, work: { [word]: 27_974 } }],
      kind,
      isPresumed: false,
    },
    {
      event: 'confirmed',
      at: 1000 * number + 500,
      slowdown: caseId(number),
      samples: [
        [quick, quick],
        [slow, slow],
      ],
      verdict: 'slower',
      referenceMs: 16,
      newestMs: 2001,
    },
    {
      event: 'seeds',
      at: 1000 * number + 500,
      slowdown: caseId(number),
      slower: [1, 2],
      tried: [1, 2, 3],
      robustness: word,
    },
  ];
  const view = (at: number): HuntEvent => ({
    event: 'view',
    at,
    tried: 1,
    beliefs: [
      { action: `${word}1`, mean: 0.5, tries: 2 },
      { action: `${word}2`, mean: 0.25, tries: 1 },
    ],
    parameters: { [`${word}1`]: 3, [`${word}2`]: 1000 },
  });
  const unsat = { ...quick, answers: ['unsat' as const], outcome: 'unsat' as const };
  const answers = quick.answers;
  return [
    { event: 'began', at: 0, culprit: word },
    { event: 'tried', at: 400, lane: 0, formula: 'abc', runs: [quick, unsat] },
    { event: 'oddity', oddity: 1, at: 400, kind: 'disagreement', text: formula, runs: [quick, unsat] },
    {
      event: 'oddity',
      oddity: 2,
      at: 500,
      kind: 'crash',
      text: formula,
      runs: [quick, { wallMs: 3, answers, outcome: 'crash', signal: word }],
    },
    {
      event: 'oddity',
      oddity: 3,
      at: 550,
      kind: 'wrong-model',
      text: formula,
      runs: [quick, null],
      claim: { version: 0, model: `(${formula})`, refutedBy: [word] },
    },
    {
      event: 'oddity',
      oddity: 4,
      at: 600,
      kind: 'error',
      text: formula,
      runs: [{ wallMs: 3, answers: [], outcome: 'error', message: word }, null],
    },
    view(700),
    ...slowdown(1),
    ...slowdown(2),
    view(3000),
    { event: 'ended', at: 4000, why: 'time', solvingMs: 3900 },
    located(1, word),
    located(2, word),
  ];
}

export function dataOf(strange: Strange, events = eventsOf(strange)): HuntData {
  const collector = new HuntCollector();
  for (const event of events) collector.add(event);
  return collector.data(settingsOf(strange));
}
