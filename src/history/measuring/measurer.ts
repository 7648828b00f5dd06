/** Measures cases on built commits. */

import type { CaseId } from '../../campaign/index.js';
import {
  cannotStartCodes,
  environmentFault,
  Fault,
  limitsFor,
  runToEnd,
  usageFault,
  userCommand,
} from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { type Run, type Runner, spentMs, type Version } from '../../solver/index.js';
import type { Observation } from './levels.js';

/** Measures one case on one program, once. */
export interface Measurer {
  readonly cases: number;
  /** True if the load of the machine does not matter, because effort is counted. */
  readonly isExact?: boolean | undefined;
  measure(program: string, id: CaseId, signal: AbortSignal): Promise<Observation>;
}

/** The effort of a run that was ended before it could report it, if it had no limit of its own. */
const effortWithoutEnd = 1e12;

/**
 * The level of an outcome in a search for slow commits. An answer counts by its time; a run out of time or memory
 * counts as slow. A solver that gives up, crashes or reports an error says nothing about speed.
 */
export function observationOf(
  run: Run,
  limitMs: number,
  by: 'time' | 'effort' = 'time',
  mostEffort = effortWithoutEnd,
): Observation {
  const seen = timeOf(run, limitMs);
  if (seen.kind === 'unmeasured') return seen;
  if (by === 'time') return run.effort === undefined ? seen : { ...seen, effort: run.effort };
  // The point at which it was ended is arbitrary.
  if (run.outcome === 'timeout' || run.outcome === 'memout')
    return { kind: 'measured', samples: [mostEffort] };
  return run.effort !== undefined
    ? { kind: 'measured', samples: [Math.min(run.effort, mostEffort)] }
    : unmeasured('it does not tell its effort');
}

function timeOf(run: Run, limitMs: number): Observation {
  switch (run.outcome) {
    case 'sat':
    case 'unsat':
      return { kind: 'measured', samples: [spentMs(run)] };
    case 'timeout':
    case 'memout':
      return { kind: 'measured', samples: [limitMs] };
    case 'unknown':
      return { ...unmeasured('it gives up'), isSearched: true };
    case 'crash':
      return unmeasured(`it crashes (${run.signal})`);
    default:
      return { ...unmeasured(run.message), ...missingIn(run.message) };
  }
}

/** Reads the message of the stub that replaces a function in a partial build. */
function missingIn(message: string): { readonly missing?: number } {
  const number = /^culprit: not compiled: (\d+)$/.exec(message)?.[1];
  return number === undefined ? {} : { missing: Number(number) };
}

export interface FormulaCase {
  readonly formula: Script;
  readonly seed?: number | undefined;
  readonly mostEffort?: number | undefined;
}

/** A build may need this much more time for the same effort. */
const timePerEffort = 4;

/** The limits of a run. If its effort is limited, the time limit only ends runs that hang. */
export function limitsOf(
  { mostEffort }: Pick<FormulaCase, 'mostEffort'>,
  { timeoutMs, memoryBytes }: { readonly timeoutMs: number; readonly memoryBytes?: number | undefined },
) {
  return limitsFor(mostEffort === undefined ? timeoutMs : timePerEffort * timeoutMs, memoryBytes);
}

/** Measures formulas on builds of a solver. */
export class SolverMeasurer implements Measurer {
  constructor(
    private readonly runner: Runner,
    private readonly formulas: readonly FormulaCase[],
    /** The version of a program. */
    private readonly versionOf: (program: string) => Promise<Version | Fault>,
    private readonly limits: { readonly timeoutMs: number; readonly memoryBytes?: number | undefined },
    private readonly by: 'time' | 'effort' = 'time',
  ) {}

  get isExact(): boolean {
    return this.by === 'effort';
  }

  get cases(): number {
    return this.formulas.length;
  }

  async measure(program: string, id: CaseId, signal: AbortSignal): Promise<Observation> {
    const formulaCase = caseOf(this.formulas, id);
    const { formula, seed, mostEffort } = formulaCase;
    const version = await this.versionOf(program);
    if (version instanceof Fault) return { kind: 'unmeasured', fault: version };
    const limits = limitsOf(formulaCase, this.limits);
    const run = await this.runner.run({ formula, version, limits, seed, mostEffort }, signal);
    return observationOf(run, this.limits.timeoutMs, this.by, mostEffort);
  }
}

export interface CommandMeasure {
  /** One command per case; `{program}` is replaced by the built program. */
  readonly commands: readonly (readonly string[])[];
  readonly limitMs: number;
  /** The measure is the last number that the command prints, not its time. */
  readonly isPrinted: boolean;
}

/** Measures any command that exits with 0: its time, or the number it prints. */
export class CommandMeasurer implements Measurer {
  #unstarted: Fault | undefined;
  #hasStarted = false;

  constructor(private readonly command: CommandMeasure) {}

  /** The reason why the command never started on any commit. Then there are no valid measurements. */
  get unstarted(): Fault | undefined {
    return this.#hasStarted ? undefined : this.#unstarted;
  }

  get cases(): number {
    return this.command.commands.length;
  }

  async measure(program: string, id: CaseId, signal: AbortSignal): Promise<Observation> {
    const { commands, limitMs, isPrinted } = this.command;
    const words = userCommand(caseOf(commands, id).map((word) => word.replaceAll('{program}', program)));
    const end = await runToEnd({
      words,
      limitMs,
      signal,
      output: isPrinted ? 'keep' : undefined,
      endsOrphans: true,
    });
    if (end instanceof Fault || cannotStartCodes.has(end.exitCode)) {
      const fault = end instanceof Fault ? end : unstartedFault(caseOf(commands, id), end.exitCode);
      this.#unstarted = fault;
      return { kind: 'unmeasured', fault };
    }
    this.#hasStarted = true;
    if (end.hasTimedOut)
      return isPrinted ? unmeasured('it takes too long') : { kind: 'measured', samples: [limitMs] };
    if (end.signal !== undefined) return unmeasured(`it crashes (${end.signal})`);
    if (end.exitCode !== 0) return unmeasured(`it ends with ${end.exitCode}`);
    if (!isPrinted) return { kind: 'measured', samples: [end.wallMs] };
    const printed = [...end.tail.matchAll(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi)].at(-1)?.[0];
    return printed === undefined
      ? unmeasured('it prints no number')
      : { kind: 'measured', samples: [Number(printed)] };
  }
}

function unstartedFault(words: readonly string[], code: number | undefined): Fault {
  return environmentFault(
    `the command exited with ${code}, so a program in it could not be started: ${words.join(' ')}`,
  );
}

function unmeasured(why: string): Observation & { kind: 'unmeasured' } {
  return { kind: 'unmeasured', fault: usageFault(why) };
}

function caseOf<Case>(cases: readonly Case[], id: CaseId): Case {
  const found = cases[id];
  if (found === undefined) throw new RangeError(`there is no case ${id}`);
  return found;
}
