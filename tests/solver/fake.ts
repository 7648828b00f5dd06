/** Versions and runners that exist only in tests. */

import { dialects } from '../../src/smtlib/index.js';
import type { Run, Runner, RunRequest } from '../../src/solver/run/run.js';
import type { Version } from '../../src/solver/version/version.js';

export function fakeVersion(name: string, options: Record<string, string> = {}): Version {
  return {
    name,
    spec: name,
    family: 'z3',
    number: '1.0',
    source: 'path',
    program: { kind: 'native', command: [name] },
    options,
    dialect: dialects['2.6'],
  };
}

/** Answers every request by a function and remembers the order of requests. */
export class FakeRunner implements Runner {
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

export function answered(outcome: 'sat' | 'unsat' | 'unknown', wallMs: number, effort?: number): Run {
  return { outcome, wallMs, answers: [outcome], effort };
}

export function timedOut(wallMs: number): Run {
  return { outcome: 'timeout', wallMs, answers: [] };
}
