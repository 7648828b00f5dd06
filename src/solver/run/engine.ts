import type { Fault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';
import type { Run, RunRequest } from './run.js';

/** A worker's place, held until it is freed. */
export interface Turn {
  /** From 0, unique among the turns held at the same time. */
  readonly slot: number;
  /** Aborted when this run is cancelled or the runner closes. */
  readonly signal: AbortSignal;
  /** Lets the next run begin while this one still does work that needs no solver. */
  free(): void;
}

/** Runs formulas on programs of one kind. The pool handles turns, aborts and closing. */
export interface Engine {
  /** Rejects with the reason of the turn's signal when it is aborted. */
  run(request: RunRequest, turn: Turn): Promise<Run>;
  /** The work that the first runs on these versions would otherwise wait for, in pieces that take a turn each. */
  preparations(versions: readonly Version[]): readonly ((turn: Turn) => Promise<void>)[];
  /**
   * Ends every child and removes every temporary file. Called once, after the signals of all turns were aborted.
   *
   * @param ended resolves when no turn is left
   */
  close(ended: Promise<unknown>): Promise<void>;
}

/** Prints a formula in the dialect of a version. */
export type PrintFor = (formula: Script, version: Version) => string | Fault;
