import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import {
  environmentFault,
  type Limits,
  type PreparedRun,
  type ProcessResult,
  pinning,
  type RunFiles,
  RunPool,
  runProcess,
  ThrownFault,
  timeoutOf,
} from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
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
import { wordSet } from '../families/word-list.js';
import { workCountersIn } from '../families/work.js';
import type { Engine, PrintFor, SlotLease } from '../run/engine.js';
import type { Answer, Conclusion, Run, RunRequest } from '../run/run.js';
import type { Version } from '../version/version.js';
import { ReusableSolvers } from './reusable-solvers.js';
import { fillTemplate } from './template.js';

export interface ProcessOptions {
  readonly print: PrintFor;
  readonly workers: number;
  /** Run each worker on a core of its own, if the machine supports it. */
  readonly pin?: boolean | undefined;
  /** `false` disables cgroups even if they are available. */
  readonly cgroups?: boolean | undefined;
  /** Parent of the runs' directories; default: the system's temporary folder. */
  readonly directory?: string | undefined;
  /** Folders that a solver may write to besides its own; default: those in `$CULPRIT_WRITABLE`. */
  readonly writable?: readonly string[] | undefined;
}

/** Time to print statistics after the solver's own timer. */
const statisticsMs = 250;

/** Runs each formula in a process of its own, isolated, limited and measured, and removes all traces of it. */
export class ProcessEngine implements Engine {
  readonly #print: PrintFor;
  readonly #runPool: RunPool;
  readonly #reusable: ReusableSolvers;

  constructor({ print, workers, pin, cgroups, directory, writable }: ProcessOptions) {
    this.#print = print;
    this.#runPool = new RunPool({
      parent: resolve(directory ?? tmpdir()),
      cgroups: cgroups ?? true,
      prefix: pin === true ? pinnedTo(pinning(workers), workers) : () => [],
      writable,
    });
    this.#reusable = new ReusableSolvers(this.#runPool, workers);
  }

  preparations(): readonly [] {
    return [];
  }

  async close(ended: Promise<unknown>): Promise<void> {
    await ended;
    await this.#reusable.close();
    await this.#runPool.close();
  }

  async run(request: RunRequest, { slot, signal, release }: SlotLease): Promise<Run> {
    const { version } = request;
    if (hasLineBreak(version)) {
      return notRun({ outcome: 'error', message: `the command of ${version.name} contains a line break` });
    }
    const family = families[version.family];
    const limits = reportsWork(request, family) ? withTimeForStatistics(request.limits) : request.limits;
    const formula = allowedPart(withoutEcho(request.formula), version);
    const text = orUnsupported(this.#print(formula, version));
    if (typeof text !== 'string') return notRun(text);
    const facts = formulaFacts(formula, text);
    const reused = await this.#runOnReusable(slot, { request, formula, text, family, facts, signal });
    if (reused !== undefined) return reused;
    const preparedRun = await this.#prepareRun(slot, text, signal);
    try {
      const command = commandOf(request, family, facts, preparedRun.files.input);
      const finished = runProcess({ command, limits, signal, ...preparedRun });
      this.#runPool.prepareNext(slot);
      const finish = await finished;
      if (hasExited(finish) && !preparedRun.files.hasOutput) throw lostOutput(preparedRun.files);
      // The next solver may start while this output is parsed.
      release();
      return toRun(finish, preparedRun.files, request, family, facts);
    } finally {
      await this.#runPool.clear(preparedRun);
    }
  }

  /** The result of a reused solver, or undefined if a new process has to decide. */
  async #runOnReusable(
    slot: number,
    { request, formula, text, family, facts, signal }: PreparedFormula,
  ): Promise<Run | undefined> {
    const { reuse } = family;
    if (request.glance !== true || reuse === undefined || !canBeReset(formula)) return undefined;
    const { limits } = request;
    const command = commandOf(request, family, facts, '');
    const reply = await this.#reusable.solve(slot, { command, reuse, text, limits, signal });
    if (reply?.kind !== 'answered') return reply && { outcome: 'timeout', wallMs: reply.wallMs, answers: [] };
    const reading = readOutput(reply.stdout, '', family);
    const conclusion = conclusionOf(reading, { exitCode: 0, checkSats: facts.checkSats }, family);
    return isAnswered(conclusion)
      ? { ...conclusion, wallMs: reply.wallMs, answers: reading.answers }
      : undefined;
  }

  /** Last chance to cancel: after this, the prepared run cannot be reused. */
  async #prepareRun(slot: number, text: string, signal: AbortSignal): Promise<PreparedRun> {
    const preparedRun = await this.#runPool.take(slot);
    try {
      signal.throwIfAborted();
      preparedRun.files.writeInput(text);
      return preparedRun;
    } catch (error) {
      this.#runPool.giveBack(slot, preparedRun);
      throw error;
    }
  }
}

/** A killed solver may not have opened its output yet. */
function hasExited({ limit, exitCode }: ProcessResult): boolean {
  return limit === undefined && exitCode !== undefined;
}

/** The output is lost and must not count as empty. */
function lostOutput({ output }: RunFiles): ThrownFault {
  return new ThrownFault(
    environmentFault(
      `${dirname(output)} was removed while a solver ran in it: keep TMPDIR as it is, or set it to another folder`,
    ),
  );
}

interface PreparedFormula {
  readonly request: RunRequest;
  readonly formula: Script;
  readonly text: string;
  readonly family: Family;
  readonly facts: FormulaFacts;
  readonly signal: AbortSignal;
}

/** Commands that a reset undoes completely. */
const resettable = wordSet(`
  comment set-logic set-info declare-sort define-sort declare-fun declare-const define-const define-fun
  define-fun-rec define-funs-rec declare-datatypes assert check-sat
`);

function canBeReset({ commands }: Script): boolean {
  return commands.every(({ kind }) => resettable.has(kind));
}

/** Any other outcome may be caused by earlier formulas. */
function isAnswered(conclusion: Conclusion): conclusion is { readonly outcome: Answer } {
  const { outcome } = conclusion;
  return outcome === 'sat' || outcome === 'unsat' || outcome === 'unknown';
}

/** Reused solvers have slots beyond the workers' own, and run on the cores of their workers. */
function pinnedTo(prefix: (slot: number) => readonly string[], workers: number): typeof prefix {
  return (place) => prefix(place % workers);
}

function notRun(conclusion: Conclusion): Run {
  return { ...conclusion, wallMs: 0, answers: [] };
}

function nativeCommand(version: Version): readonly string[] {
  if (version.program.kind === 'native') return version.program.command;
  throw new TypeError(`${version.name} is not a native program`);
}

/** Leaves a solver with its own timer some time to print its work counters. */
function withTimeForStatistics(limits: Limits): Limits {
  const cpuMs = limits.cpuMs === undefined ? {} : { cpuMs: limits.cpuMs + statisticsMs };
  return { ...limits, ...cpuMs, wallMs: limits.wallMs + statisticsMs };
}

function reportsWork({ work }: RunRequest, family: Family): boolean {
  return work === true && family.work !== undefined;
}

/** The launcher reads one word per line. */
function hasLineBreak(version: Version): boolean {
  const words = [...nativeCommand(version), ...Object.entries(version.options).flat()];
  return words.some((word) => /[\n\0]/.test(word));
}

function commandOf(
  request: RunRequest,
  family: Family,
  facts: FormulaFacts,
  file: string,
): readonly string[] {
  const { version, seed, limits, mostEffort } = request;
  const command = nativeCommand(version);
  if (family.name === 'custom') return fillTemplate(command, { file, seed, timeoutMs: timeoutOf(limits) });
  return [
    ...command,
    ...familyArguments(family, {
      ...facts,
      seed,
      mostEffort,
      model: request.model === true,
      options: version.options,
      timerMs: reportsWork(request, family) ? timeoutOf(limits) : undefined,
    }),
  ];
}

function toRun(
  finish: ProcessResult,
  { stdout, stderr }: RunFiles,
  request: RunRequest,
  family: Family,
  { checkSats }: FormulaFacts,
): Run {
  const whole = readOutput(stdout, stderr, family);
  // A solver with its own timer exits by itself after its time.
  const timerMs = reportsWork(request, family) ? timeoutOf(request.limits) : request.limits.wallMs;
  const isLate = finish.limit === undefined && finish.wallMs > timerMs;
  const isSpent = finish.limit === undefined && reachedEffortLimit(whole, request.mostEffort);
  const reading = isLate || isSpent ? beforeInterrupt(whole) : whole;
  const ending =
    isLate || isSpent ? ({ ...finish, limit: 'wall', checkSats } as const) : { ...finish, checkSats };
  const work = request.work === true ? workCountersIn(whole.statistics ?? '', family) : undefined;
  return {
    ...conclusionOf(reading, ending, family),
    wallMs: finish.wallMs,
    answers: reading.answers,
    cpuMs: finish.limit === 'idle' ? undefined : finish.cpuMs,
    peakMemoryBytes: finish.peakMemoryBytes ?? reading.memoryBytes,
    effort: reading.effort,
    work,
    ...(request.checks === true ? { failedCheck: checkFailedIn(stdout, stderr) } : {}),
    seed: request.seed,
    model: request.model === true ? reading.model : undefined,
    core: request.core === true ? reading.core : undefined,
  };
}
