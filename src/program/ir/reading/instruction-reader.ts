/** Types that the instruction readers share. */

import type { MetadataId } from '../../graph/index.js';
import type { Instruction } from '../instruction.js';
import type { Type } from '../type.js';
import type { Scanner } from './scanner.js';

/** The parts of an instruction that depend on its opcode. */
type PartsOf<Whole = Instruction> = Whole extends unknown
  ? Omit<Whole, 'result' | 'location' | 'type'>
  : never;
export type InstructionParts = PartsOf & { readonly type?: Type; readonly location?: MetadataId | undefined };

export interface ReadContext {
  readonly types: ReadonlyMap<string, Type>;
}

/** Called after the opcode. */
export type InstructionReader = (scanner: Scanner, context: ReadContext) => InstructionParts;

export const pointerType: Type = { kind: 'pointer', to: undefined, space: 0 };
