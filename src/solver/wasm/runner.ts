import { setMaxListeners } from 'node:events';
import { eitherSignal, Fault, Slots } from '../../machine/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import { type Family, familyArguments } from '../families/family.js';
import { type FormulaFacts, formulaFacts, withoutEcho } from '../families/formula-input.js';
import { printed } from '../families/formula-text.js';
import { families } from '../families/index.js';
import { beforeTheCut, readOutput, verdictOf } from '../families/outcome.js';
import { workIn } from '../families/work.js';
import type { Run, Runner, RunRequest } from '../run/run.js';
import type { Version } from '../version/version.js';
import type { HostEnd } from './host-process.js';
import type { Evaluation, Job } from './job.js';
import { divide, join } from './opening.js';
import { HostPool } from './pool.js';

export interface WasmRunnerOptions {
  /** Writes a formula in the words a version understands; in the version's dialect when left out. */
  readonly print?: (formula: Script, version: Version) => string | Fault;
  /** How many runs may go on at once, over all versions; 1 when left out. */
  readonly workers?: number;
  /** After how many formulas a host is ended and replaced; see `pool.ts` for the usual number. */
  readonly renewAfter?: number;
}

/**
 * Runs formulas on Z3 as WASM, in warm processes that are used again and again. A run's time has neither their
 * start nor any compilation in it, and nothing of a formula reaches the next one.
 */
export class WasmRunner implements Runner {
  readonly #print: (formula: Script, version: Version) => string | Fault;
  readonly #workers: number;
  readonly #slots: Slots;
  readonly #pool: HostPool;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(options: WasmRunnerOptions = {}) {
    // Every run that waits for its turn listens.
    setMaxListeners(0, this.#closing.signal);
    this.#print = options.print ?? ((formula, { dialect }) => printScript(formula, { dialect }));
    this.#workers = options.workers ?? 1;
    this.#slots = new Slots(this.#workers);
    this.#pool = new HostPool(this.#workers, options.renewAfter);
  }

  /** Starts and warms a host for each worker and version, so that no run has to wait for one. */
  async prepare(versions: readonly Version[], given?: AbortSignal): Promise<void> {
    const { signal, release } = eitherSignal(given, this.#closing.signal);
    const missing = [...new Set(versions.map(packageOf))].flatMap((packageDir) =>
      Array.from({ length: this.#workers - this.#pool.hostsOf(packageDir) }, () => packageDir),
    );
    // Starting a host is work, and would disturb a run beside it as much as another run.
    await Promise.all(
      missing.map((packageDir) => this.#inSlot(signal, () => this.#pool.prepare(packageDir, signal))),
    ).finally(release);
  }

  async run(request: RunRequest): Promise<Run> {
    const { signal, release } = eitherSignal(request.signal, this.#closing.signal);
    return this.#inSlot(signal, () => this.#run(request, signal)).finally(release);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('the runner was closed'));
    // Runs under way would first ask Z3 to give up; there is nothing left to be gentle with.
    await this.#pool.close();
    await Promise.allSettled(this.#underWay);
    await this.#pool.close();
  }

  async #run(request: RunRequest, signal: AbortSignal): Promise<Run> {
    const { version } = request;
    const packageDir = packageOf(version);
    const family = families[version.family];
    const formula = withoutEcho(request.formula);
    const { opening, rest, parameters } = divide(formula);
    const [head, tail] = [this.#print(opening, version), this.#print(rest, version)];
    const text = printed(head instanceof Fault ? head : tail instanceof Fault ? tail : join(head, tail));
    if (typeof text !== 'string') return { ...text, wallMs: 0, answers: [] };
    const facts = formulaFacts(formula, text);
    const job: Job = {
      text,
      parameters: { ...parametersOf(request, family, facts), ...parameters },
      limits: request.limits,
      work: request.work === true,
    };
    const finish = await this.#pool.evaluate(packageDir, job, signal, request.fresh);
    signal.throwIfAborted();
    return {
      ...('end' in finish
        ? fromEnd(finish.end, facts, family)
        : fromEvaluation(finish.evaluation, request, facts, family)),
      ...(request.seed === undefined ? {} : { seed: request.seed }),
    };
  }

  async #inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const slot = await this.#slots.take(signal);
    const working = work();
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
      this.#slots.give(slot);
    }
  }
}

function packageOf({ name, program }: Version): string {
  if (program.kind === 'wasm') return program.packageDir;
  throw new TypeError(`${name} is not a WASM package`);
}

/** What a family writes as `name=value` on Z3's command line is a parameter of the same name. */
function parametersOf(
  { version, seed, model }: RunRequest,
  family: Family,
  facts: FormulaFacts,
): Readonly<Record<string, string>> {
  const words = familyArguments(family, { ...facts, seed, model: model === true, options: version.options });
  return Object.fromEntries(
    words.flatMap((word) => {
      const [, name, value] = /^([^-=][^=]*)=(.*)$/s.exec(word) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function fromEvaluation(
  evaluation: Evaluation,
  { model }: RunRequest,
  { checkSats }: FormulaFacts,
  family: Family,
): Run {
  const { stdout, stderr, limit, effort, statistics } = evaluation;
  const work = statistics === undefined ? undefined : workIn(statistics, family);
  const whole = readOutput(stdout, stderr, family);
  const reading = limit === undefined ? whole : beforeTheCut(whole);
  return {
    ...verdictOf(reading, { checkSats, ...(limit === undefined ? {} : { limit }) }, family),
    wallMs: evaluation.wallMs,
    cpuMs: evaluation.cpuMs,
    peakMemoryBytes: evaluation.peakMemoryBytes,
    answers: reading.answers,
    ...(effort === undefined ? {} : { effort }),
    ...(work === undefined ? {} : { work }),
    ...(model !== true || reading.model === undefined ? {} : { model: reading.model }),
  };
}

/** What is said when WASM's memory, one or two gigabytes in all, or that of the host is used up. */
const outOfMemory = /Cannot enlarge memory|\bOOM\b|out of memory/i;

function fromEnd(end: HostEnd, { checkSats }: FormulaFacts, family: Family): Run {
  const { brokenBy, stderr, exitCode, cpuMs, peakMemoryBytes } = end;
  const limit = end.limit ?? (outOfMemory.test(brokenBy ?? stderr) ? 'memory' : undefined);
  const signal = brokenBy === undefined ? end.signal : `WASM: ${brokenBy.split('\n', 1)[0]}`;
  return {
    ...verdictOf(
      readOutput('', stderr, family),
      {
        checkSats,
        ...(limit === undefined ? {} : { limit }),
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(signal === undefined ? {} : { signal }),
      },
      family,
    ),
    wallMs: end.wallMs,
    answers: [],
    ...(cpuMs === undefined ? {} : { cpuMs }),
    ...(peakMemoryBytes === undefined ? {} : { peakMemoryBytes }),
  };
}
