/** A module of LLVM's IR: its names at once, its functions' bodies and metadata when they are asked for. */

import type { LocatedFault } from '../../machine/index.js';
import type { MetadataId } from '../graph/index.js';
import type { DebugInfo } from './debug-info.js';
import type { Instruction, Terminator } from './instruction.js';
import type { LineIndex } from './line-index.js';
import type { Type } from './type.js';
import type { Value } from './value.js';

export interface Block {
  readonly label: string;
  /** All but the last. */
  readonly instructions: readonly Instruction[];
  readonly terminator: Terminator;
}

export interface Parameter {
  /** Undefined in declarations. */
  readonly name: string | undefined;
  readonly type: Type;
  /** The type of what it points to, where the caller hands over a copy of that; undefined for others. */
  readonly byValue: Type | undefined;
}

export interface Signature {
  readonly result: Type;
  readonly parameters: readonly Parameter[];
  readonly isVariadic: boolean;
}

/** How a definition stands to those of its name in other modules. */
export type Linkage =
  /** Only its own module can name it. */
  | 'local'
  /** To look into; the definition itself is in another module (LLVM's available_externally). */
  | 'copy'
  /** A default, or an inline function of C++, which is in many modules and the same in all. */
  | 'weak'
  | 'strong';

export interface IrFunction extends Signature {
  readonly name: string;
  readonly linkage: Linkage;
  /** Only this module can call it by its name. */
  readonly isLocal: boolean;
  /** The metadata of the subprogram it was made from. */
  readonly subprogram: MetadataId | undefined;
  /** Where its blocks are in the text; undefined for one that is only declared. */
  readonly body: Span | undefined;
}

export interface GlobalVariable {
  readonly name: string;
  readonly type: Type;
  readonly isConstant: boolean;
  /** Each thread has one of its own. */
  readonly isThreadLocal: boolean;
  readonly isLocal: boolean;
  readonly initializer: Value | undefined;
}

/** Another name for something. */
export interface Alias {
  readonly name: string;
  readonly linkage: Linkage;
  readonly of: Value;
}

/** A name whose function is chosen when the program starts. */
export interface Ifunc {
  readonly name: string;
  readonly linkage: Linkage;
  /** The function that chooses: it returns the one to call. */
  readonly resolver: Value;
}

/** A part of the text, by offsets. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface IrModule {
  /** As its compiler was given it. */
  readonly sourceName: string;
  readonly dataLayout: string;
  readonly triple: string;
  readonly text: string;
  /** Of the text, for faults. */
  readonly lines: LineIndex;
  readonly types: ReadonlyMap<string, Type>;
  readonly globals: ReadonlyMap<string, GlobalVariable>;
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly ifuncs: ReadonlyMap<string, Ifunc>;
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly debug: DebugInfo;
  /** What the reader does not know, by lines of the IR's text; the rest of the module is right. */
  readonly faults: readonly LocatedFault[];
}
