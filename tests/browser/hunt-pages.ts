/** Hunt pages: a typical campaign, one with very long texts, and an empty one. */

import { caseId } from '../../src/campaign/index.js';
import { HuntCollector, type HuntEvent, type HuntSettings } from '../../src/hunt/index.js';
import { Random } from '../../src/machine/index.js';
import { huntHtml } from '../../src/report/index.js';
import { eventsOf, ordinary, type Strange, settingsOf } from '../report/made-campaign.js';

const lines = Array.from(
  { length: 60 },
  (_, at) => `(assert (str.< (str.++ x "${'a'.repeat(at)}") (str.replace y "b" x)))\n`,
);
const long: Strange = { ...ordinary, formula: `(declare-const x String)\n${lines.join('')}(check-sat)\n` };

/** Long texts without a break. */
const endless: Strange = {
  version: `git:/home/somebody/${'solvers/'.repeat(12)}z3@0123456789abcdef0123456789abcdef0123456789abcdef`,
  formula: `(assert (= x "${'abcdefghij'.repeat(400)}"))\n(check-sat)\n`,
  word: 'str.replace_re_all.'.repeat(8),
};

export function ordinaryHunt(): string {
  return pageOf(settingsOf(long), [...busyHours(), ...otherKind(long), ...eventsOf(long), ...beliefs()]);
}

export function endlessHunt(): string {
  const settings = settingsOf(endless);
  const versions = Array.from({ length: 6 }, (_, at) => `${endless.version}${at}`);
  return pageOf({ ...settings, versions, builds: versions }, [...otherKind(endless), ...eventsOf(endless)]);
}

export function emptyHunt(): string {
  return pageOf(settingsOf(ordinary), []);
}

function pageOf(settings: HuntSettings, events: readonly HuntEvent[]): string {
  const collector = new HuntCollector();
  for (const event of events) collector.add(event);
  return huntHtml(collector.data(settings), 'campaigns/one');
}

/** Formulas with times of all sizes, most of them equal on both versions. */
function busyHours(): readonly HuntEvent[] {
  const random = Random.fromSeed(1);
  return Array.from({ length: 400 }, (_, at): HuntEvent => {
    const wallMs = 2 ** random.below(11);
    const run = { wallMs, answers: ['sat' as const], outcome: 'sat' as const };
    const newest = { ...run, wallMs: wallMs * (1 + random.below(8) / 10) };
    return { event: 'tried', at: 100 * at, lane: 0, formula: `f${at}`, runs: [run, newest] };
  });
}

/** One action for each colour, with values that change over time. */
function beliefs(): readonly HuntEvent[] {
  const random = Random.fromSeed(2);
  return Array.from({ length: 20 }, (_, at): HuntEvent => {
    const of = (action: number) => ({
      action: `replace an operator by one of arity ${action}`,
      mean: (action + random.below(100) / 100) / 9,
      tries: at,
    });
    const parameters = { depth: 3 + random.below(4), 'longest literal': 10 * at };
    return {
      event: 'view',
      at: 2000 * at,
      tried: 20 * at,
      beliefs: [0, 1, 2, 3, 4, 5, 6, 7].map(of),
      parameters,
    };
  });
}

/** A second, known kind, so that the page has an overview. */
function otherKind({ formula, word }: Strange): readonly HuntEvent[] {
  const quick = { wallMs: 31, effort: 512, answers: ['unsat' as const], outcome: 'unsat' as const };
  const slow = { ...quick, wallMs: 1480, work: { [`${word}-axiom`]: 51, 'seq-branch': 27_974 } };
  return [
    {
      event: 'slowdown',
      at: 900,
      slowdown: caseId(9),
      by: word,
      text: formula,
      runs: [quick, slow],
      kind: { answer: 'unsat', operators: [word, `${word}2`, `${word}3`], since: 1 },
      isPresumed: false,
    },
    {
      event: 'confirmed',
      at: 950,
      slowdown: caseId(9),
      samples: [[quick], [slow]],
      verdict: 'slower',
      referenceMs: 31,
      newestMs: 1480,
    },
  ];
}
