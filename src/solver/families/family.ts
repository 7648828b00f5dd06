import type { FamilyName } from '../version/version.js';

/** How a complaint in a solver's output affects the outcome. */
export type ComplaintMeaning =
  | 'unsupported'
  | 'memout'
  | 'timeout'
  | 'error'
  /** No effect: for example a model was requested after `unsat`, or an unknown option was skipped. */
  | 'remark';

export interface Complaint {
  readonly pattern: RegExp;
  readonly means: ComplaintMeaning;
}

/** The meaning of an exit code. Codes above 128 stand for signals and need not be listed. */
export type ExitMeaning = 'clean' | 'crash' | Exclude<ComplaintMeaning, 'remark'>;

/** How to read a family's work counters. */
export interface WorkCounters {
  /** Matches one counter of the statistics; captures its name and its count. */
  readonly counter: RegExp;
  /** Counters that every search increases, and numbers that count no steps. */
  readonly generalCounters: RegExp;
  /** Counters that increase together with others and tell little by themselves. */
  readonly secondaryCounters: RegExp;
  /** Arguments that end the solver after this time, but let it print its statistics. */
  readonly timer: (wallMs: number) => readonly string[];
}

/** The options and commands that a formula may use beyond the standard. All others could write, read or run files. */
export interface Allowed {
  readonly commands: ReadonlySet<string>;
  /** Compares names as the solver does. `name` has no leading colon. */
  readonly hasOption: (name: string) => boolean;
  /** Keywords inside commands, such as those of Z3's tactics, are options too. */
  readonly takesOptionsInCommands: boolean;
}

/** How to reuse a solver process for many formulas. */
export interface Reuse {
  /** The command that discards a formula with all its options and declarations. */
  readonly reset: string;
  /** The command that limits the time of each `check-sat`. Solvers do not always keep to it. */
  readonly timer: (wallMs: number) => string;
}

/**
 * How to call the solvers of one family and how to read their output. culprit enforces limits from outside, in the
 * same way for every version. Only requests for work counters set the solver's own timer, which adds a thread to the
 * measurement.
 */
export interface Family {
  readonly name: FamilyName;
  readonly allowed: Allowed;
  /** Arguments of every run: read standard input, print statistics. */
  readonly always: readonly string[];
  /** Arguments of the family that a person has to add to the file name. */
  readonly manualArguments: readonly string[];
  /** For a formula with strings or sequences. */
  readonly strings: readonly string[];
  /** For a formula with several queries or `push`. */
  readonly incremental: readonly string[];
  /** Print a model after each `sat` and after no other answer. */
  readonly model: readonly string[];
  readonly seed: (seed: number) => readonly string[];
  /** Sets one solver option by the solver's own name. */
  readonly option: (name: string, value: string) => readonly string[];
  /** The first match decides. A complaint without a match is an `error`. */
  readonly complaints: readonly Complaint[];
  readonly exits: Readonly<Record<number, ExitMeaning>>;
  /** Matches lines of the statistics on standard error, which may contain words of complaints. */
  readonly statisticsLine: RegExp | undefined;
  /** Captures the work counter of the statistics. */
  readonly effort: RegExp | undefined;
  readonly effortLimit?: (effort: number) => readonly string[];
  /** Captures the peak memory of the statistics, in megabytes. */
  readonly peakMegabytes: RegExp | undefined;
  /** Undefined if a solver prints no statistics when its time runs out. */
  readonly work?: WorkCounters;
  /** Undefined if a reused solver would behave differently from a new one. */
  readonly reuse?: Reuse;
}

export interface FamilyCall {
  readonly strings: boolean;
  readonly incremental: boolean;
  readonly model: boolean;
  readonly seed: number | undefined;
  readonly mostEffort?: number | undefined;
  readonly options: Readonly<Record<string, string>>;
  /** Time for the solver's own timer, which lets it print its work counters. */
  readonly timerMs?: number | undefined;
}

export function familyArguments(family: Family, call: FamilyCall): readonly string[] {
  return [
    ...family.always,
    ...(call.strings ? family.strings : []),
    ...(call.incremental ? family.incremental : []),
    ...(call.model ? family.model : []),
    ...(call.seed === undefined ? [] : family.seed(call.seed)),
    ...(call.mostEffort === undefined ? [] : (family.effortLimit?.(call.mostEffort) ?? [])),
    ...(call.timerMs === undefined ? [] : (family.work?.timer(call.timerMs) ?? [])),
    ...Object.entries(call.options).flatMap(([name, value]) => family.option(name, value)),
  ];
}

export function meaningOf(complaint: string, family: Family): ComplaintMeaning {
  return family.complaints.find(({ pattern }) => pattern.test(complaint))?.means ?? 'error';
}
