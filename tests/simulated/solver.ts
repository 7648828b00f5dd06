/** Simulated solvers: versions, runs and runners without a process. A solver is a function of the formula. */

import { createHash } from 'node:crypto';
import { dialects, measure, parseScript, printScript, type Script } from '../../src/smtlib/index.js';
import type { Run, Runner, RunRequest, Runs, Slowness, Version } from '../../src/solver/index.js';

/** The threshold is 250 ms for every fast formula. */
export const slowness: Slowness = { noise: { floorMs: 20, relative: 0.1 }, timeoutMs: 2000 };

export type Ending = 'sat' | 'unsat' | 'unknown' | 'memout' | 'crash' | 'error';

/** How a run without a time limit would end, and when. */
export interface Truth {
  readonly ending: Ending;
  readonly ms: number;
}

export function simulatedVersion(
  name: string,
  options: Readonly<Record<string, string>> = {},
  number = '1.0',
): Version {
  return {
    name,
    spec: name,
    family: 'z3',
    number,
    source: 'path',
    program: { kind: 'native', command: [name] },
    options,
    dialect: dialects['2.6'],
  };
}

/** Answers requests by a function and records them. */
export class SimulatedRunner implements Runner {
  readonly requests: RunRequest[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  isClosed = false;

  constructor(private readonly answer: (request: RunRequest, at: number) => Run) {}

  async run(request: RunRequest, signal?: AbortSignal): Promise<Run> {
    this.requests.push(request);
    this.signals.push(signal);
    return this.answer(request, this.requests.length - 1);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

export function ended(ending: Ending, wallMs: number, effort?: number): Run {
  switch (ending) {
    case 'crash':
      return { outcome: ending, wallMs, answers: [], signal: 'SIGSEGV' };
    case 'error':
      return { outcome: ending, wallMs, answers: [], message: 'line 1: unexpected' };
    case 'memout':
      return { outcome: ending, wallMs, answers: [] };
    default:
      return { outcome: ending, wallMs, answers: [ending], effort };
  }
}

export function timedOut(wallMs: number): Run {
  return { outcome: 'timeout', wallMs, answers: [] };
}

/** The outcome of a run under a limit. */
export function shown({ ending, ms }: Truth, limitMs: number): Run {
  return ms <= limitMs ? ended(ending, ms) : timedOut(limitMs);
}

export const formulaOf = (assertions: string, declarations = '(declare-const x String)'): Script =>
  parseScript(`${declarations} ${assertions} (check-sat)`);

/** The same number for the same text on every machine. */
export function digits(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

const has = (formula: Script, ...operators: readonly string[]): boolean => {
  const own = measure(formula).operators;
  return operators.every((operator) => own.has(operator));
};

/** Three regressions, each caused by operators, in addition to times that vary by formula. */
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

/** Runs both versions to their end or the timeout. */
export function fullRuns(formula: Script, { timeoutMs } = slowness): Runs {
  return [false, true].map((isNewest) => shown(truthOf(formula, isNewest), timeoutMs));
}
