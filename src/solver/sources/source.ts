import type { Fault, Machine, Patience } from '../../machine/index.js';
import type { SolverConfiguration } from '../version/configuration.js';
import type { BuildVariant, Engine, KnownFamily } from '../version/spec.js';
import type { Store } from '../version/store.js';
import type { Program, SourceName } from '../version/version.js';

/** A program made from a commit. */
export interface BuiltCommit {
  readonly program: string;
  readonly family: KnownFamily | undefined;
}

/** What sources work with. */
export interface SolverSurroundings {
  readonly machine: Machine;
  readonly store: Store;
  readonly configuration: SolverConfiguration;
  /** Says what is being done, for a user who waits. */
  readonly progress: (line: string) => void;
  /** How long a slow server is waited for; three attempts, half a minute of silence each, when left out. */
  readonly patience?: Patience;
  /** Ends what is under way: whoever waits for it gets the signal's reason thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Builds a commit of a git repository and gives the program; where it is left out, no version can be a commit. */
  readonly buildCommit?: (
    repository: string,
    revision: string,
    variant: BuildVariant | undefined,
  ) => Promise<BuiltCommit | Fault>;
  /** Nothing may be downloaded. */
  readonly offline?: boolean;
  /** Lists of releases are fetched anew, however young the remembered ones are. */
  readonly fresh?: boolean;
}

/** One release a source can give, before anything of it is downloaded. */
export interface Offer {
  /** What a user writes to get it from exactly here. */
  readonly spec: string;
  readonly source: SourceName;
  readonly engine: Engine;
  readonly number: string;
  readonly kind: Program['kind'];
  /** On the machine already: taking it needs no network. */
  readonly here: boolean;
  /** Hands the program over, downloading it first if it must. */
  take(): Promise<Program | Fault>;
}

/** A place solver versions come from. */
export interface Source {
  readonly name: string;
  /** Every release of an engine this source has, or why it cannot be asked. */
  offers(engine: Engine, around: SolverSurroundings): Promise<readonly Offer[] | Fault>;
}
