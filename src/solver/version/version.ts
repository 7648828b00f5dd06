import type { Dialect } from '../../smtlib/index.js';

/** The solver families culprit knows by itself; `custom` is any solver called by a command template. */
export type FamilyName = 'z3' | 'z3str3' | 'cvc4' | 'cvc5' | 'custom';

/** Where a version's executable or package was found. */
export type SourceName = 'embedded' | 'npm' | 'pypi' | 'debian' | 'path' | 'git' | 'template';

/** How a version is run: as a process of its own, or as WASM inside a pooled worker. */
export type Program =
  /** `command` is the argument vector in front of the family's options, e.g. a private loader and the binary. */
  | { readonly kind: 'native'; readonly command: readonly string[] }
  /** `packageDir` is the folder of an unpacked `z3-solver` package. */
  | { readonly kind: 'wasm'; readonly packageDir: string };

/**
 * One runnable build of a solver. Plain data, so that it can be sent elsewhere: `program` says how it is run on this
 * machine, and `spec` is what another machine resolves to run the same there.
 */
export interface Version {
  /** What to call it before the user, unique within a comparison: mostly its spec, or a commit that was built. */
  readonly name: string;
  /** What `parseSpec` reads and `resolveVersion` makes this version of: `z3@4.8.12`, `z3@5.2.0?smt.arith.solver=2`. */
  readonly spec: string;
  readonly family: FamilyName;
  /** Release number or commit: `4.8.12`. */
  readonly number: string;
  readonly source: SourceName;
  readonly program: Program;
  /** Solver options to set on every run, in the solver's own names. */
  readonly options: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
}
