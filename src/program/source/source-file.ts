import type { LocatedFault } from '../../machine/index.js';
import type { FlowFunction } from '../graph/index.js';

/** What a C or C++ file says without being compiled: every part with its lines, counted from 1. */

export interface SourceFile {
  readonly file: string;
  /** In the order they are written. */
  readonly functions: readonly SourceFunction[];
  /** Names that stand where a value is wanted: the functions among them may be called through pointers. */
  readonly taken: ReadonlySet<string>;
  readonly macros: readonly SourceMacro[];
  /** Everything else at the top level (or in a class or namespace): types, variables, prototypes, `#include`. */
  readonly declarations: readonly SourceDeclaration[];
  /** What could not be understood; the rest is still right. */
  readonly faults: readonly LocatedFault[];
}

export interface SourceFunction extends FlowFunction {
  /** In the order they are written. */
  readonly statements: readonly SourceStatement[];
}

export interface SourceStatement {
  /** Of compound statements only the head, such as `if (...)` over all lines of its condition. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Numbers of the blocks it lies in: a condition with `&&` lies in several, a declaration in dead code in none. */
  readonly blocks: readonly number[];
  /** Identifiers it mentions, each once: what macros and functions it uses. */
  readonly names: readonly string[];
  /** The variables it declares, if it does. */
  readonly declares?: readonly DeclaredVariable[] | undefined;
}

export interface DeclaredVariable {
  readonly name: string;
  /** Its type, itself and its value, word by word: what others are declared with it is left out. */
  readonly written: string;
}

export interface SourceMacro {
  readonly name: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Identifiers in its body, each once, without its own parameters. */
  readonly names: readonly string[];
}

export interface SourceDeclaration {
  readonly firstLine: number;
  readonly lastLine: number;
  /** Identifiers it mentions, each once. */
  readonly names: readonly string[];
}
