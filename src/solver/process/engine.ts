import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import {
  type Bench,
  environmentFault,
  type Finish,
  type Limits,
  pinning,
  type RunFiles,
  runProcess,
  ThrownFault,
  timeoutOf,
  Workshop,
} from '../../machine/index.js';
import type { Command, Script } from '../../smtlib/index.js';
import { allowedPart } from '../families/allowed.js';
import { type Family, familyArguments } from '../families/family.js';
import { type FormulaFacts, formulaFacts, withoutEcho } from '../families/formula-input.js';
import { printed } from '../families/formula-text.js';
import { families } from '../families/index.js';
import { beforeTheCut, checkFailedIn, conclusionOf, hasSpent, readOutput } from '../families/outcome.js';
import { workIn } from '../families/work.js';
import type { Engine, PrintFor, Turn } from '../run/engine.js';
import type { Answer, Conclusion, Run, RunRequest } from '../run/run.js';
import type { Version } from '../version/version.js';
import { StayingSolvers } from './staying-solvers.js';
import { fillTemplate } from './template.js';

export interface ProcessOptions {
  readonly print: PrintFor;
  /** How many runs may go on at once. */
  readonly workers: number;
  /** Keep each worker's runs on a core of its own, where the machine can. */
  readonly pin?: boolean | undefined;
  /** `false` leaves cgroups alone even where the machine lets us use them. */
  readonly cgroups?: boolean | undefined;
  /** Where the runs' directories are made; the system's folder for temporary files when left out. */
  readonly directory?: string | undefined;
  /** Folders besides its own that a solver may write to; those in `$CULPRIT_WRITABLE` when left out. */
  readonly writable?: readonly string[] | undefined;
}

/** How much longer than its own timer a solver may take to print its statistics. */
const lastWordsMs = 250;

/** Runs each formula in a process of its own: isolated, limited, measured, and gone without a trace afterwards. */
export class ProcessEngine implements Engine {
  readonly #print: PrintFor;
  readonly #workshop: Workshop;
  readonly #staying: StayingSolvers;

  constructor({ print, workers, pin, cgroups, directory, writable }: ProcessOptions) {
    this.#print = print;
    this.#workshop = new Workshop({
      parent: resolve(directory ?? tmpdir()),
      cgroups: cgroups ?? true,
      prefix: pin === true ? pinnedTo(pinning(workers), workers) : () => [],
      writable,
    });
    this.#staying = new StayingSolvers(this.#workshop, workers);
  }

  /** A process is started in a moment. */
  preparations(): readonly [] {
    return [];
  }

  async close(ended: Promise<unknown>): Promise<void> {
    await ended;
    await this.#staying.close();
    await this.#workshop.close();
  }

  async run(request: RunRequest, { slot, signal, free }: Turn): Promise<Run> {
    const { version } = request;
    if (holdsLineBreak(version)) {
      return notRun({ outcome: 'error', message: `the command of ${version.name} holds a line break` });
    }
    const family = families[version.family];
    const limits = tellsOfWork(request, family) ? withLastWords(request.limits) : request.limits;
    const formula = allowedPart(withoutEcho(request.formula), version);
    const text = printed(this.#print(formula, version));
    if (typeof text !== 'string') return notRun(text);
    const facts = formulaFacts(formula, text);
    const seen = await this.#glance(slot, { request, formula, text, family, facts, signal });
    if (seen !== undefined) return seen;
    const bench = await this.#benchFor(slot, text, signal);
    try {
      const command = commandOf(request, family, facts, bench.files.input);
      const finished = runProcess({ command, limits, signal, ...bench });
      this.#workshop.prepareNext(slot);
      const finish = await finished;
      if (hasEndedByItself(finish) && !bench.files.isKept) throw lostOutput(bench.files);
      // The next solver may start while this one's words are read.
      free();
      return toRun(finish, bench.files, request, family, facts);
    } finally {
      await this.#workshop.clear(bench);
    }
  }

  /** What a solver that has run other formulas before answers to this one, if that will do. */
  async #glance(
    slot: number,
    { request, formula, text, family, facts, signal }: Glance,
  ): Promise<Run | undefined> {
    const { stay } = family;
    if (request.glance !== true || stay === undefined || !canBeForgotten(formula)) return undefined;
    const { limits } = request;
    const command = commandOf(request, family, facts, '');
    const reply = await this.#staying.ask(slot, { command, stay, text, limits, signal });
    if (reply?.kind !== 'answered') return reply && { outcome: 'timeout', wallMs: reply.wallMs, answers: [] };
    const reading = readOutput(reply.stdout, '', family);
    const conclusion = conclusionOf(reading, { exitCode: 0, checkSats: facts.checkSats }, family);
    return isSure(conclusion) ? { ...conclusion, wallMs: reply.wallMs, answers: reading.answers } : undefined;
  }

  /** The last moment to turn back: the bench can still be used by another run. */
  async #benchFor(slot: number, text: string, signal: AbortSignal): Promise<Bench> {
    const bench = await this.#workshop.take(slot);
    try {
      signal.throwIfAborted();
      bench.files.writeInput(text);
      return bench;
    } catch (error) {
      this.#workshop.giveBack(slot, bench);
      throw error;
    }
  }
}

/** One that was ended may not have come so far as to have an output. */
function hasEndedByItself({ limit, exitCode }: Finish): boolean {
  return limit === undefined && exitCode !== undefined;
}

/** What it said cannot be known any more, and must not be taken for nothing. */
function lostOutput({ output }: RunFiles): ThrownFault {
  return new ThrownFault(
    environmentFault(
      `${dirname(output)} was removed while a solver ran in it: keep TMPDIR as it is, or set it to another folder`,
    ),
  );
}

interface Glance {
  readonly request: RunRequest;
  readonly formula: Script;
  readonly text: string;
  readonly family: Family;
  readonly facts: FormulaFacts;
  readonly signal: AbortSignal;
}

/** Commands that leave nothing behind in a solver that is told to forget them. */
const forgettable: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-logic',
  'set-info',
  'declare-sort',
  'define-sort',
  'declare-fun',
  'declare-const',
  'define-const',
  'define-fun',
  'define-fun-rec',
  'define-funs-rec',
  'declare-datatypes',
  'assert',
  'check-sat',
]);

function canBeForgotten({ commands }: Script): boolean {
  return commands.every(({ kind }) => forgettable.has(kind));
}

/** Whatever else it printed may have to do with what it was asked before. */
function isSure(conclusion: Conclusion): conclusion is { readonly outcome: Answer } {
  const { outcome } = conclusion;
  return outcome === 'sat' || outcome === 'unsat' || outcome === 'unknown';
}

/** Solvers that stay have places beyond the workers' own, and the cores of their workers. */
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

/** A solver with a timer of its own ends by that, and may then say what it was busy with. */
function withLastWords(limits: Limits): Limits {
  const cpuMs = limits.cpuMs === undefined ? {} : { cpuMs: limits.cpuMs + lastWordsMs };
  return { ...limits, ...cpuMs, wallMs: limits.wallMs + lastWordsMs };
}

function tellsOfWork({ work }: RunRequest, family: Family): boolean {
  return work === true && family.work !== undefined;
}

/** The launcher takes one word a line. */
function holdsLineBreak(version: Version): boolean {
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
      timerMs: tellsOfWork(request, family) ? timeoutOf(limits) : undefined,
    }),
  ];
}

function toRun(
  finish: Finish,
  { stdout, stderr }: RunFiles,
  request: RunRequest,
  family: Family,
  { checkSats }: FormulaFacts,
): Run {
  const whole = readOutput(stdout, stderr, family);
  // With a timer of its own, a solver ends by itself after its time.
  const timerMs = tellsOfWork(request, family) ? timeoutOf(request.limits) : request.limits.wallMs;
  const isLate = finish.limit === undefined && finish.wallMs > timerMs;
  const isSpent = finish.limit === undefined && hasSpent(whole, request.mostEffort);
  const reading = isLate || isSpent ? beforeTheCut(whole) : whole;
  const ending =
    isLate || isSpent ? ({ ...finish, limit: 'wall', checkSats } as const) : { ...finish, checkSats };
  const work = request.work === true ? workIn(whole.statistics ?? '', family) : undefined;
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
