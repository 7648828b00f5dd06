import type { Fault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';
import type { Run, RunRequest } from './run.js';

/** A worker's place, held until it is freed. */
export interface SlotLease {
  /** From 0, unique among the slots in use. */
  readonly slot: number;
  /** Aborted when this run is cancelled or the runner closes. */
  readonly signal: AbortSignal;
  /** Lets the next run begin while this one still does work that needs no solver. */
  release(): void;
}

/** Runs formulas on programs of one kind. The pool handles turns, aborts and closing. */
export interface Engine {
  /** Rejects with the reason of the lease's signal when it is aborted. */
  run(request: RunRequest, lease: SlotLease): Promise<Run>;
  /** The work that the first runs on these versions would otherwise wait for, in pieces that need a slot each. */
  preparations(versions: readonly Version[]): readonly ((lease: SlotLease) => Promise<void>)[];
  /**
   * Ends every child and removes every temporary file. Called once, after the signals of all leases were aborted.
   *
   * @param ended resolves when all slots are free
   */
  close(ended: Promise<unknown>): Promise<void>;
}

/** Prints a formula in the dialect of a version. */
export type PrintFor = (formula: Script, version: Version) => string | Fault;
