import type { LocatedFault } from '../../machine/index.js';
import type { FlowFunction } from '../graph/index.js';

/** The structure of a C or C++ file, read without compiling it. Lines count from 1. */

export interface SourceFile {
  readonly file: string;
  readonly functions: readonly SourceFunction[];
  /** Names used as values: functions among them may be called through pointers. */
  readonly taken: ReadonlySet<string>;
  readonly macros: readonly SourceMacro[];
  /** Everything else at the top level or in a class or namespace: types, variables, prototypes, `#include`. */
  readonly declarations: readonly SourceDeclaration[];
  /** Parts that were not understood; the rest is still right. */
  readonly faults: readonly LocatedFault[];
}

export interface SourceFunction extends FlowFunction {
  readonly statements: readonly SourceStatement[];
}

export interface SourceStatement {
  /** For a compound statement only the head, such as `if (...)` with all lines of its condition. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Numbers of its blocks: several for a condition with `&&`, none for a declaration in unreachable code. */
  readonly blocks: readonly number[];
  /** Identifiers in it without duplicates: the macros and functions it uses. */
  readonly names: readonly string[];
  readonly declares?: readonly DeclaredVariable[] | undefined;
}

export interface DeclaredVariable {
  readonly name: string;
  /** Type, declarator and initialiser, separated by spaces, without other variables of the same declaration. */
  readonly written: string;
}

export interface SourceMacro {
  readonly name: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Identifiers in its body without duplicates and without its parameters. */
  readonly names: readonly string[];
}

export interface SourceDeclaration {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly names: readonly string[];
}
