import { Fault } from '../../machine/index.js';
import { allowedPart } from '../families/allowed.js';
import { type Family, familyArguments } from '../families/family.js';
import { type FormulaFacts, formulaFacts, withoutEcho } from '../families/formula-input.js';
import { orUnsupported } from '../families/formula-text.js';
import { families } from '../families/index.js';
import {
  beforeInterrupt,
  checkFailedIn,
  conclusionOf,
  reachedEffortLimit,
  readOutput,
} from '../families/outcome.js';
import { workCountersIn } from '../families/work.js';
import type { Engine, PrintFor, SlotLease } from '../run/engine.js';
import type { Run, RunRequest } from '../run/run.js';
import type { Version } from '../version/version.js';
import type { HostEnd } from './host-process.js';
import type { Evaluation, HostJob } from './job.js';
import { joinParts, splitFormula } from './opening.js';
import { HostPool } from './pool.js';

export interface WasmOptions {
  readonly print: PrintFor;
  readonly workers: number;
  /** A host is replaced after this many formulas; default: see `pool.ts`. */
  readonly renewAfter?: number | undefined;
  /** Times are not needed: hosts then skip full compilation and start sooner. */
  readonly isUntimed?: boolean | undefined;
}

/**
 * Runs formulas on Z3 as WASM, in warm processes that are reused. The measured time excludes their start and
 * compilation, and no state of a formula reaches the next one.
 */
export class WasmEngine implements Engine {
  readonly #print: PrintFor;
  readonly #workers: number;
  readonly #pool: HostPool;
  readonly #isUntimed: boolean;

  constructor({ print, workers, renewAfter, isUntimed = false }: WasmOptions) {
    this.#print = print;
    this.#isUntimed = isUntimed;
    this.#workers = workers;
    this.#pool = new HostPool(workers, renewAfter);
  }

  preparations(versions: readonly Version[]): readonly ((lease: SlotLease) => Promise<void>)[] {
    return [...new Set(versions.map(packageOf))].flatMap((packageDir) => {
      const program = { packageDir, isCounting: false, isUntimed: this.#isUntimed };
      return Array.from(
        { length: this.#workers - this.#pool.hostsOf(program) },
        () =>
          ({ signal }: SlotLease) =>
            this.#pool.prepare(program, signal),
      );
    });
  }

  async close(ended: Promise<unknown>): Promise<void> {
    // Killing the hosts first is quicker: otherwise each run would ask Z3 to give up.
    await this.#pool.close();
    await ended;
    await this.#pool.close();
  }

  async run(request: RunRequest, { signal }: SlotLease): Promise<Run> {
    const { version } = request;
    const program = {
      packageDir: packageOf(version),
      isCounting: request.calls === true,
      isUntimed: this.#isUntimed,
    };
    const family = families[version.family];
    const formula = allowedPart(withoutEcho(request.formula), version);
    const { opening, rest, parameters } = splitFormula(formula);
    const [head, tail] = [this.#print(opening, version), this.#print(rest, version)];
    const text = orUnsupported(
      head instanceof Fault ? head : tail instanceof Fault ? tail : joinParts(head, tail),
    );
    if (typeof text !== 'string') return { ...text, wallMs: 0, answers: [] };
    const facts = formulaFacts(formula, text);
    const job: HostJob = {
      text,
      parameters: { ...parametersOf(request, family, facts), ...parameters },
      limits: request.limits,
      work: request.work === true,
    };
    const finish = await this.#pool.evaluate(program, job, signal, request.fresh);
    signal.throwIfAborted();
    return 'end' in finish
      ? fromEnd(finish.end, request, facts, family)
      : fromEvaluation(finish.evaluation, request, facts, family);
  }
}

function packageOf({ name, program }: Version): string {
  if (program.kind === 'wasm') return program.packageDir;
  throw new TypeError(`${name} is not a WASM package`);
}

/** Z3 has a global parameter for each `name=value` argument of its command line. */
function parametersOf(
  { version, seed, model, mostEffort }: RunRequest,
  family: Family,
  facts: FormulaFacts,
): Readonly<Record<string, string>> {
  const { options } = version;
  const words = familyArguments(family, { ...facts, seed, mostEffort, model: model === true, options });
  return Object.fromEntries(
    words.flatMap((word) => {
      const [, name, value] = /^([^-=][^=]*)=(.*)$/s.exec(word) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function fromEvaluation(
  evaluation: Evaluation,
  { seed, model, core, mostEffort, checks }: RunRequest,
  { checkSats }: FormulaFacts,
  family: Family,
): Run {
  const { stdout, stderr, effort, statistics } = evaluation;
  const work = statistics === undefined ? undefined : workCountersIn(statistics, family);
  const whole = readOutput(stdout, stderr, family);
  const isSpent = evaluation.limit === undefined && reachedEffortLimit({ ...whole, effort }, mostEffort);
  const limit = isSpent ? 'wall' : evaluation.limit;
  const reading = limit === undefined ? whole : beforeInterrupt(whole);
  return {
    ...conclusionOf(reading, { checkSats, limit }, family),
    wallMs: evaluation.wallMs,
    cpuMs: evaluation.cpuMs,
    peakMemoryBytes: evaluation.peakMemoryBytes,
    answers: reading.answers,
    effort,
    work,
    called: evaluation.called,
    ...(checks === true ? { failedCheck: checkFailedIn(stdout, stderr) } : {}),
    seed,
    model: model === true ? reading.model : undefined,
    core: core === true ? reading.core : undefined,
  };
}

/** Printed when the WASM memory (one or two gigabytes) or the host's memory is exhausted. */
const outOfMemory = /Cannot enlarge memory|\bOOM\b|out of memory/i;

function fromEnd(
  end: HostEnd,
  { seed, checks }: RunRequest,
  { checkSats }: FormulaFacts,
  family: Family,
): Run {
  const { brokenBy, stderr, exitCode, cpuMs, peakMemoryBytes, called } = end;
  const limit = end.limit ?? (outOfMemory.test(brokenBy ?? stderr) ? 'memory' : undefined);
  const signal = brokenBy === undefined ? end.signal : `WASM: ${brokenBy.split('\n', 1)[0]}`;
  return {
    ...conclusionOf(readOutput('', stderr, family), { checkSats, limit, exitCode, signal }, family),
    wallMs: end.wallMs,
    answers: [],
    cpuMs,
    peakMemoryBytes,
    called,
    ...(checks === true ? { failedCheck: checkFailedIn('', stderr) } : {}),
    seed,
  };
}
