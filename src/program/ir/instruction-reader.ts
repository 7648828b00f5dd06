/** What the readers of single instructions have in common. */

import type { MetadataId } from '../graph/index.js';
import type { Instruction } from './instruction.js';
import type { Scanner } from './scanner.js';
import type { Type } from './type.js';

/** What is read of an instruction by its opcode; the rest is the same for all. */
type Parts<Whole = Instruction> = Whole extends unknown ? Omit<Whole, 'result' | 'location' | 'type'> : never;
export type Read = Parts & { readonly type?: Type; readonly location?: MetadataId | undefined };

export interface ReadContext {
  /** The named types of the module. */
  readonly types: ReadonlyMap<string, Type>;
}

/** Called after the opcode was read. */
export type Reader = (scanner: Scanner, context: ReadContext) => Read;

export const pointerType: Type = { kind: 'pointer', to: undefined, space: 0 };
