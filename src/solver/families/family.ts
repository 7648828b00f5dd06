import type { FamilyName } from '../version/version.js';

/** What one complaint of a solver says about its run. */
export type ComplaintMeaning =
  /** This version does not know an operator, sort, command, logic or option. */
  | 'unsupported'
  | 'memout'
  | 'timeout'
  /** The formula or the solver is wrong in some other way. */
  | 'error'
  /** Nothing that touches the answers: a model was asked for after `unsat`, an unknown option was skipped. */
  | 'remark';

export interface Complaint {
  readonly pattern: RegExp;
  readonly means: ComplaintMeaning;
}

/** What an exit code says that the output may not; codes above 128 are read as signals without being listed. */
export type ExitMeaning = 'clean' | 'crash' | Exclude<ComplaintMeaning, 'remark'>;

/** How a family tells what it was busy with. */
export interface WorkCounters {
  /** A counter inside the statistics: its name and its count, captured. */
  readonly counter: RegExp;
  /** Counters every search drives up, whatever it is busy with, and those that count no steps. */
  readonly chores: RegExp;
  /** Counters that go up along with others: they count, but say little about what it is busy with. */
  readonly companions: RegExp;
  /** Give up after this many milliseconds, and print statistics all the same. */
  readonly timer: (wallMs: number) => readonly string[];
}

/** What a formula may ask of a family beyond the standard: everything else could write, read or run files. */
export interface Allowed {
  readonly commands: ReadonlySet<string>;
  /** Names are compared as the solvers themselves compare them; `name` has no colon in front. */
  readonly hasOption: (name: string) => boolean;
  /** Keywords inside commands are options too, such as those of Z3's tactics. */
  readonly takesOptionsInCommands: boolean;
}

/** How a solver of a family is kept for many formulas. */
export interface Stay {
  /** Makes it forget a formula and everything that came with it. */
  readonly forget: string;
  /** Makes it give up on each question after this many milliseconds, mostly. */
  readonly timer: (wallMs: number) => string;
}

/**
 * How the solvers of one family are called and how their output is read. Limits are not among the arguments, but
 * where a solver is asked for its work: culprit keeps them from outside, the same way for every version, and a
 * solver's own timer would add a thread to what is measured.
 */
export interface Family {
  readonly name: FamilyName;
  readonly allowed: Allowed;
  /** On every run: read standard input, print statistics. */
  readonly always: readonly string[];
  /** What a person must say besides the file for it to be this family. */
  readonly byHand: readonly string[];
  /** For a formula with strings or sequences. */
  readonly strings: readonly string[];
  /** For a formula that asks more than once or pushes. */
  readonly incremental: readonly string[];
  /** Print a model after each `sat`, and nothing after another answer. */
  readonly model: readonly string[];
  readonly seed: (seed: number) => readonly string[];
  /** One solver option, in the solver's own name for it. */
  readonly option: (name: string, value: string) => readonly string[];
  /** The first row that matches decides; a complaint without a row is an `error`. */
  readonly complaints: readonly Complaint[];
  readonly exits: Readonly<Record<number, ExitMeaning>>;
  /** A line of the statistics on standard error, whatever words are in it. */
  readonly statisticsLine: RegExp | undefined;
  /** The work counter inside the statistics, captured. */
  readonly effort: RegExp | undefined;
  /** Give up after so much of it. */
  readonly effortLimit?: (effort: number) => readonly string[];
  /** Peak memory in megabytes inside the statistics, captured. */
  readonly peakMegabytes: RegExp | undefined;
  /** Left out where a solver that runs out of time says nothing. */
  readonly work?: WorkCounters;
  /** Left out where a solver that stays would not do what a new one does. */
  readonly stay?: Stay;
}

/** What a family needs to know about one run to build its arguments. */
export interface FamilyCall {
  readonly strings: boolean;
  readonly incremental: boolean;
  readonly model: boolean;
  readonly seed: number | undefined;
  readonly mostEffort?: number | undefined;
  readonly options: Readonly<Record<string, string>>;
  /** When the solver is to give up by itself, so that it can still tell of its work. */
  readonly timerMs?: number | undefined;
}

/** The arguments that follow a version's command. */
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

/** What a complaint means to this family. */
export function meaningOf(complaint: string, family: Family): ComplaintMeaning {
  return family.complaints.find(({ pattern }) => pattern.test(complaint))?.means ?? 'error';
}
