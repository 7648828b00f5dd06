import { availableParallelism } from 'node:os';
import { DialectError } from '../../smtlib/literals.js';
import type { Script } from '../../smtlib/tree.js';
import { families } from '../family.js';
import { readOutput, verdictOf } from '../outcome.js';
import { formulaFacts, withoutEcho } from '../process/formula-input.js';
import { Slots } from '../process/slots.js';
import type { Run, Runner, RunRequest } from '../run.js';
import type { Version } from '../version.js';
import { HostPool } from './host-pool.js';
import type { Answer } from './host-process.js';
import type { Job } from './messages.js';

export interface WasmRunnerOptions {
  /** Writes a formula in the words a version understands. */
  readonly print: (formula: Script, version: Version) => string;
  /** How many runs may go on at once; 1 when left out, because runs side by side disturb one another. */
  readonly workers?: number;
}

/** How long after its limit an interrupted formula may take to stop before its host is killed. */
const graceMs = 60;

/** Runs formulas on WASM versions, in warm hosts. */
export class WasmRunner implements Runner {
  readonly #print: WasmRunnerOptions['print'];
  readonly #workers: number;
  readonly #slots: Slots;
  readonly #pool: HostPool;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: WasmRunnerOptions) {
    this.#print = options.print;
    this.#workers = options.workers ?? 1;
    this.#slots = new Slots(this.#workers);
    this.#pool = new HostPool(Math.max(4, 2 * this.#workers));
  }

  /** Starts and warms hosts for these versions. */
  async prepare(versions: readonly Version[]): Promise<void> {
    const folders = new Set(versions.map(packageOf));
    const count = Math.min(this.#workers, availableParallelism());
    await Promise.all([...folders].map((folder) => this.#pool.warm(folder, count)));
  }

  async run(request: RunRequest): Promise<Run> {
    this.#closing.signal.throwIfAborted();
    const running = this.#run(request);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the runner was closed'));
    await Promise.allSettled(this.#running);
    await this.#pool.close();
  }

  async #run(request: RunRequest): Promise<Run> {
    const closing = this.#closing.signal;
    const signal = request.signal === undefined ? closing : AbortSignal.any([request.signal, closing]);
    const formula = withoutEcho(request.formula);
    let text: string;
    try {
      text = this.#print(formula, request.version);
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      return { outcome: 'unsupported', message: error.message, wallMs: 0, answers: [] };
    }
    const slot = await this.#slots.take(signal);
    try {
      const startedAt = performance.now();
      const answer = await this.#evaluate(packageOf(request.version), jobOf(request, text), signal);
      signal.throwIfAborted();
      return toRun(answer, request, formulaFacts(formula, text).checkSats, performance.now() - startedAt);
    } finally {
      this.#slots.give(slot);
    }
  }

  /** Keeps a host that answered, ends every other. */
  async #evaluate(folder: string, job: Job, signal: AbortSignal): Promise<Answer> {
    const host = await this.#pool.take(folder);
    const answer = await host.evaluate(job, graceMs, signal);
    if (answer.kind === 'done') await this.#pool.give(host);
    else await this.#pool.end(host);
    return answer;
  }
}

function packageOf(version: Version): string {
  if (version.program.kind === 'wasm') return version.program.packageDir;
  throw new TypeError(`${version.name} is not a WASM program`);
}

function jobOf({ version, limits, seed, model }: RunRequest, text: string): Job {
  const options: [string, string][] = Object.entries(version.options);
  if (version.family === 'z3str3') options.unshift(['smt.string_solver', 'z3str3']);
  if (seed !== undefined) options.push(['smt.random_seed', String(seed)], ['sat.random_seed', String(seed)]);
  const { wallMs, cpuMs, memoryBytes, outputBytes } = limits;
  return { text, options, wallMs, cpuMs, memoryBytes, outputBytes, model: model === true };
}

function toRun(answer: Answer, { version, seed }: RunRequest, checkSats: number, elapsedMs: number): Run {
  const seeded = seed === undefined ? {} : { seed };
  switch (answer.kind) {
    case 'done': {
      const family = families[version.family];
      const reading = readOutput(answer.output, '', family);
      const limit = answer.limit === undefined ? {} : { limit: answer.limit };
      return {
        ...verdictOf(reading, { checkSats, exitCode: 0, ...limit }, family),
        wallMs: answer.wallMs,
        cpuMs: answer.cpuMs,
        peakMemoryBytes: answer.peakMemoryBytes,
        answers: reading.answers,
        ...(answer.effort === undefined ? {} : { effort: answer.effort }),
        ...(answer.model === undefined ? {} : { model: answer.model }),
        ...seeded,
      };
    }
    case 'broken':
      return /memory/i.test(answer.message)
        ? { outcome: 'memout', wallMs: elapsedMs, answers: [], ...seeded }
        : { outcome: 'crash', signal: answer.message, wallMs: elapsedMs, answers: [], ...seeded };
    default:
      return { outcome: 'timeout', wallMs: elapsedMs, answers: [], ...seeded };
  }
}
