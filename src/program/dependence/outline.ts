/** A function as the analyses need it, in compact form: its instructions need not stay in memory. */

import {
  after,
  type BlockId,
  type FunctionId,
  type IntLists,
  type IntTable,
  idOf,
  type LocalNodeId,
  lastAtOrBefore,
  type MetadataId,
  type NodeId,
  type PointerId,
  type RegisterId,
  type Table,
} from '../graph/index.js';
import type { ProgramFunction } from '../ir/index.js';

/** Bits for the effects of an instruction on memory. */
export const access = {
  read: 1,
  write: 2,
  /** It always writes all of the bytes. */
  fill: 4,
  /** It reads everything reachable from there. */
  readAll: 8,
} as const;

export interface Access {
  readonly pointer: PointerId;
  /** Infinity for an access up to the end of the object. */
  readonly bytes: number;
  readonly effect: number;
}

/** A constant or nothing, in place of a register. */
export const noRegister: RegisterId = idOf(0x7fffffff);

/** A register is the number of the instruction with this result, or -1 minus the index of the parameter. */
export const registers = {
  ofParameter: (at: number): RegisterId => idOf(-1 - at),
  ofInstruction: (at: LocalNodeId): RegisterId => idOf(at),
  isParameter: (register: RegisterId): boolean => register < 0,
  parameter: (register: RegisterId): number => -1 - register,
  instruction: (register: RegisterId): LocalNodeId => idOf(register),
} as const;

export interface Call {
  readonly caller: FunctionId;
  readonly at: LocalNodeId;
  /** The nodes of its arguments; undefined for arguments that cannot be pointers. */
  readonly arguments: readonly (PointerId | undefined)[];
  readonly registers: readonly RegisterId[];
  /** For by-value arguments, the number of bytes passed. */
  readonly byValue: ReadonlyMap<number, number>;
  readonly classes: string;
  readonly constants: readonly (number | undefined)[];
  readonly result: PointerId;
  /** Possible callees in the program. For a callback, the argument index of each parameter; -1 for none. */
  readonly callees: Map<FunctionId, readonly number[] | undefined>;
  /** Functions of the program that run afterwards because it ends the program. */
  runsAtEnd: readonly FunctionId[];
  /** Memory effects of its external callees, and reads of by-value structs. */
  readonly accesses: Access[];
  isExternal: boolean;
  isUnknown: boolean;
  isOutput: boolean;
  mayThrow: boolean;
}

export interface InstructionAccess extends Access {
  readonly at: LocalNodeId;
}

export const noLocation: MetadataId = idOf(-1);

/** How the activation ends at an instruction. */
export const ending = { none: 0, returns: 1, unwinds: 2 } as const;

export class Blocks {
  readonly #starts: IntTable<BlockId, LocalNodeId>;

  /** @param starts the first instruction of each block, then the number of instructions */
  constructor(starts: IntTable<BlockId, LocalNodeId>) {
    this.#starts = starts;
  }

  start(block: BlockId): LocalNodeId {
    return this.#starts.get(block);
  }

  end(block: BlockId): LocalNodeId {
    return this.#starts.get(after(block, 1));
  }

  terminator(block: BlockId): LocalNodeId {
    return after(this.end(block), -1);
  }

  of(instruction: LocalNodeId): BlockId {
    return lastAtOrBefore(this.#starts.length - 1, (block: BlockId) => this.start(block), instruction);
  }
}

export interface Outline {
  readonly fn: ProgramFunction;
  /** The number of its first instruction in the program. */
  readonly first: NodeId;
  readonly instructions: number;
  readonly blocks: Blocks;
  readonly next: Table<BlockId, readonly BlockId[]>;
  readonly phis: IntTable<BlockId>;
  /** The registers that instructions read, without arguments of calls. */
  readonly operands: IntLists<LocalNodeId, RegisterId>;
  readonly accesses: readonly InstructionAccess[];
  readonly calls: readonly Call[];
  /** The debug location of each instruction, or `noLocation`. */
  readonly locations: IntTable<LocalNodeId, MetadataId>;
  readonly endings: IntTable<BlockId>;
  readonly catches: boolean;
  /** The first instruction's result; the others follow. */
  readonly firstNode: PointerId;
}
