import type { Fault } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';
import type { Run, RunRequest } from './run.js';

/** A place among those that work at the same time, had until it is freed. */
export interface Turn {
  /** From 0; no other turn has the same at the same time. */
  readonly slot: number;
  /** Aborted when this run is no longer wanted, or none is. */
  readonly signal: AbortSignal;
  /** Lets the next one begin while this one has still something to do that takes no solver. */
  free(): void;
}

/** Something that runs formulas on programs of one kind; turns, ends and closing are seen to by those who use it. */
export interface Engine {
  /** Rejects with the reason of the turn's signal when that is aborted. */
  run(request: RunRequest, turn: Turn): Promise<Run>;
  /** What the first runs on these versions would otherwise wait for. Each piece of it takes a turn. */
  preparations(versions: readonly Version[]): readonly ((turn: Turn) => Promise<void>)[];
  /**
   * Ends every child, removes every temporary file. Called once, when the signals of all turns have been aborted.
   *
   * @param ended resolves when no turn is left
   */
  close(ended: Promise<unknown>): Promise<void>;
}

/** Writes a formula in the words a version understands. */
export type PrintFor = (formula: Script, version: Version) => string | Fault;
