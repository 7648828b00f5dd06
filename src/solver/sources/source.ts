import { Fault, type Machine, type RetryPolicy } from '../../machine/index.js';
import type { SolverConfiguration } from '../version/configuration.js';
import type { BuildVariant, Engine, KnownFamily } from '../version/spec.js';
import type { Entry, Store } from '../version/store.js';
import type { Program, SourceName } from '../version/version.js';

export interface BuiltCommit {
  readonly program: string;
  readonly family: KnownFamily | undefined;
}

export interface SolverSurroundings {
  readonly machine: Machine;
  readonly store: Store;
  readonly configuration: SolverConfiguration;
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
  readonly isLocal: boolean;
  /** Downloads the program if necessary. */
  take(): Promise<Program | Fault>;
}

export interface Source {
  readonly name: string;
  offers(engine: Engine, around: SolverSurroundings): Promise<readonly Offer[] | Fault>;
}

/** An offer whose program comes from an entry of the store, which is added on demand. */
export function downloadableOffer(
  offer: Omit<Offer, 'isLocal' | 'take'>,
  add: () => Promise<Entry | Fault>,
): Offer {
  const take = async () => {
    const entry = await add();
    return entry instanceof Fault ? entry : entry.program;
  };
  return { ...offer, isLocal: false, take };
}
