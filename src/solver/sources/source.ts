import type { Fault, Machine, RetryPolicy } from '../../machine/index.js';
import type { SolverConfiguration } from '../version/configuration.js';
import type { BuildVariant, Engine, KnownFamily } from '../version/spec.js';
import type { Store } from '../version/store.js';
import type { Program, SourceName } from '../version/version.js';

/** A program built from a commit. */
export interface BuiltCommit {
  readonly program: string;
  readonly family: KnownFamily | undefined;
}

/** The machine, cache and settings that sources work with. */
export interface SolverSurroundings {
  readonly machine: Machine;
  readonly store: Store;
  readonly configuration: SolverConfiguration;
  /** Receives progress messages for the user. */
  readonly progress: (line: string) => void;
  /** How long to wait for slow servers. Default: three attempts with half a minute of silence each. */
  readonly patience?: RetryPolicy;
  /** Cancels the work; the calls reject with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Builds a commit of a git repository. If left out, versions cannot be commits. */
  readonly buildCommit?: (
    repository: string,
    revision: string,
    variant: BuildVariant | undefined,
  ) => Promise<BuiltCommit | Fault>;
  /** Forbids downloads. */
  readonly offline?: boolean;
  /** Ignores cached lists of releases. */
  readonly fresh?: boolean;
}

/** One release that a source can provide, before it is downloaded. */
export interface Offer {
  /** The spec that selects this release from this source. */
  readonly spec: string;
  readonly source: SourceName;
  readonly engine: Engine;
  readonly number: string;
  readonly kind: Program['kind'];
  /** Taking it needs no network. */
  readonly here: boolean;
  /** Downloads the program if necessary. */
  take(): Promise<Program | Fault>;
}

export interface Source {
  readonly name: string;
  /** All releases of an engine at this source. */
  offers(engine: Engine, around: SolverSurroundings): Promise<readonly Offer[] | Fault>;
}
