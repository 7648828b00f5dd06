/** Solvers that exist only as a function of the formula: what they answer and after how long. */

import { createHash } from 'node:crypto';
import type { Note } from '../../src/hunt/events.js';
import type { HuntSettings } from '../../src/hunt/settings.js';
import { type StrategyName, strategies } from '../../src/hunt/strategies/index.js';
import type { Found, Ground, Lane, Trial } from '../../src/hunt/strategy.js';
import { measure, parseScript, printScript, type Script } from '../../src/smtlib/index.js';
import type { Run, Runs, Slowness } from '../../src/solver/index.js';

/** The threshold is 250 ms for everything that is quick. */
export const slowness: Slowness = { noise: { floorMs: 20, relative: 0.1 }, timeoutMs: 2000 };

export const ground: Ground = { slowness, logic: 'QF_SLIA', corpus: [], known: [] };

export type Ending = 'sat' | 'unsat' | 'unknown' | 'memout' | 'crash' | 'error';

/** How a run would end, and when, if it were let. */
export interface Truth {
  readonly ending: Ending;
  readonly ms: number;
}

export function ended(ending: Ending, wallMs: number): Run {
  switch (ending) {
    case 'crash':
      return { outcome: ending, wallMs, answers: [], signal: 'SIGSEGV' };
    case 'error':
      return { outcome: ending, wallMs, answers: [], message: 'line 1: unexpected' };
    case 'memout':
      return { outcome: ending, wallMs, answers: [] };
    default:
      return { outcome: ending, wallMs, answers: [ending] };
  }
}

export function timedOut(wallMs: number): Run {
  return { outcome: 'timeout', wallMs, answers: [] };
}

/** What a run under a limit shows of the truth. */
export function shown({ ending, ms }: Truth, limitMs: number): Run {
  return ms <= limitMs ? ended(ending, ms) : timedOut(limitMs);
}

export const formulaOf = (assertions: string, declarations = '(declare-const x String)'): Script =>
  parseScript(`${declarations} ${assertions} (check-sat)`);

/** The same numbers for the same text on every machine. */
export function digits(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

const has = (formula: Script, ...operators: readonly string[]): boolean => {
  const own = measure(formula).operators;
  return operators.every((one) => own.has(one));
};

/** Three regressions, told by operators, on top of times that differ from formula to formula. */
export function truthOf(formula: Script, isNewest: boolean): Truth {
  const number = digits(printScript(formula));
  const answer = number % 3 === 0 ? 'unsat' : 'sat';
  const base = 5 + (number % 41);
  if (has(formula, 'str.replace_all', 'str.len')) return { ending: 'sat', ms: isNewest ? 900 + base : base };
  if (has(formula, 'str.to_int', 'str.at')) return { ending: 'unsat', ms: isNewest ? 9000 : base };
  if (has(formula, 'str.from_code')) return { ending: 'sat', ms: isNewest ? 400 + 3 * base : base };
  if (number % 13 === 0) return { ending: answer, ms: 9000 };
  if (isNewest && number % 97 === 0) return { ending: 'crash', ms: base };
  if (isNewest && number % 89 === 0) return { ending: 'unknown', ms: base };
  if (isNewest && number % 31 === 0) return { ending: answer, ms: 100 + base };
  return { ending: answer, ms: base + (isNewest ? number % 7 : number % 5) };
}

/** Both versions to their end or the timeout. */
export function fullRuns(formula: Script, { timeoutMs } = slowness): Runs {
  return [false, true].map((isNewest) => shown(truthOf(formula, isNewest), timeoutMs));
}

export function settingsFor(
  strategy: StrategyName,
  options: Readonly<Record<string, unknown>> = {},
  others: Partial<HuntSettings> = {},
): HuntSettings {
  return {
    format: 1,
    culprit: '0.1.0',
    strategy,
    options: strategies[strategy].options.parse(options) as Record<string, unknown>,
    versions: ['old', 'new'],
    builds: ['old 1', 'new 2'],
    seed: 7,
    workers: 1,
    logic: 'QF_SLIA',
    slowness: { ...slowness, noise: { ...slowness.noise } },
    memoryBytes: 1e9,
    forMs: 10_000,
    confirming: 'during',
    confirmedPerKind: 2,
    corpus: [],
    known: [],
    ...others,
  };
}

/** A lane's trials and finds in order, for as many trials as wanted. */
export function drive(
  lane: Lane,
  trials: number,
  answer: (trial: Trial) => Runs = ({ formula }) => fullRuns(formula),
  see: (step: Trial | Found, runs: Runs) => void = () => {},
): readonly (Trial | Found)[] {
  const steps: (Trial | Found)[] = [];
  let atMs = 0;
  let runs: Runs = [];
  let { value } = lane.next();
  for (let left = trials; ; ) {
    steps.push(value);
    if (value.step === 'try') {
      if (left-- === 0) return steps;
      runs = answer(value);
      atMs += runs.reduce((sum, run) => sum + (run?.wallMs ?? 0), 0);
    }
    const asked = value;
    value = lane.next({ runs, atMs }).value;
    see(asked, runs);
  }
}

export const isTrial = (step: Trial | Found): step is Trial => step.step === 'try';
export const isFound = (step: Trial | Found): step is Found => step.step === 'found';

export const notesOf = <Name extends Note['event']>(notes: readonly Note[], name: Name) =>
  notes.filter((note): note is Extract<Note, { readonly event: Name }> => note.event === name);
