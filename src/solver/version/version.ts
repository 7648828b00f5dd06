import type { Dialect } from '../../smtlib/index.js';

/** `custom` is a solver called by a command template. */
export type FamilyName = 'z3' | 'z3str3' | 'cvc4' | 'cvc5' | 'custom';

export type SourceName = 'embedded' | 'npm' | 'pypi' | 'debian' | 'path' | 'git' | 'template';

/** A version runs as a process of its own, or as WASM inside a pooled worker. */
export type Program =
  /** `command` comes before the family's arguments: the binary, or a private loader and the binary. */
  | { readonly kind: 'native'; readonly command: readonly string[] }
  /** `packageDir` is the folder of an unpacked `z3-solver` package. */
  | { readonly kind: 'wasm'; readonly packageDir: string };

/**
 * One runnable build of a solver. It is plain data and can be sent to another machine, which resolves `spec` to the
 * same version. `program` is valid on this machine only.
 */
export interface Version {
  /** The name in reports, unique within a comparison: usually the spec, or a commit. */
  readonly name: string;
  /**
   * `parseSpec` reads it, and `resolveVersion` makes this version of it: `z3@4.8.12`, `z3@5.2.0?smt.arith.solver=2`.
   */
  readonly spec: string;
  readonly family: FamilyName;
  /** Release number or commit: `4.8.12`. */
  readonly number: string;
  readonly source: SourceName;
  readonly program: Program;
  /** Solver options for every run, by the solver's own names. */
  readonly options: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
}
