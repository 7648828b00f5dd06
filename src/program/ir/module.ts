/** A module of LLVM's IR. Bodies and metadata are read on demand. */

import type { LocatedFault } from '../../machine/index.js';
import type { MetadataId } from '../graph/index.js';
import type { DebugInfo } from './debug-info.js';
import type { Instruction, Terminator } from './instruction.js';
import type { LineIndex } from './line-index.js';
import type { Type } from './type.js';
import type { Value } from './value.js';

export interface Block {
  readonly label: string;
  /** Without the terminator. */
  readonly instructions: readonly Instruction[];
  readonly terminator: Terminator;
}

export interface Parameter {
  /** Undefined in declarations. */
  readonly name: string | undefined;
  readonly type: Type;
  /** Type of the value if the caller passes a copy through a pointer. */
  readonly byValue: Type | undefined;
}

export interface Signature {
  readonly result: Type;
  readonly parameters: readonly Parameter[];
  readonly isVariadic: boolean;
}

/** How definitions of the same name in several modules are resolved. */
export type Linkage =
  /** Visible in its own module only. */
  | 'local'
  /** A copy for inlining; the definition is in another module (LLVM's available_externally). */
  | 'copy'
  /** A default, or an inline function of C++ with the same definition in many modules. */
  | 'weak'
  | 'strong';

export interface IrFunction extends Signature {
  readonly name: string;
  readonly linkage: Linkage;
  readonly isLocal: boolean;
  /** Metadata of the source function. */
  readonly subprogram: MetadataId | undefined;
  /** Position of the blocks in the text; undefined for a declaration. */
  readonly body: Span | undefined;
}

export interface GlobalVariable {
  readonly name: string;
  readonly type: Type;
  readonly isConstant: boolean;
  readonly isThreadLocal: boolean;
  readonly isLocal: boolean;
  readonly initializer: Value | undefined;
}

export interface Alias {
  readonly name: string;
  readonly linkage: Linkage;
  readonly of: Value;
}

/** A GNU indirect function: a resolver chooses its implementation when the program starts. */
export interface Ifunc {
  readonly name: string;
  readonly linkage: Linkage;
  /** Returns the function to call. */
  readonly resolver: Value;
}

/** A range of offsets in the text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface IrModule {
  /** The path the compiler was called with. */
  readonly sourceName: string;
  readonly dataLayout: string;
  readonly triple: string;
  readonly text: string;
  /** Line numbers for faults. */
  readonly lines: LineIndex;
  readonly types: ReadonlyMap<string, Type>;
  readonly globals: ReadonlyMap<string, GlobalVariable>;
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly ifuncs: ReadonlyMap<string, Ifunc>;
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly debug: DebugInfo;
  /** Unreadable parts, with lines of the IR's text. */
  readonly faults: readonly LocatedFault[];
}
