/** What the analyses need of a function, in little room: its instructions need not be kept for it. */

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

/** What an instruction does with memory, as bits. */
export const access = {
  read: 1,
  write: 2,
  /** It writes all the bytes and not just some of them. */
  fill: 4,
  /** It reads everything that can be got at from there. */
  readAll: 8,
} as const;

export interface Access {
  readonly pointer: PointerId;
  /** Infinity where it goes on to the end of the object. */
  readonly bytes: number;
  readonly does: number;
}

/** No register of the function: a constant, or nothing. */
export const noRegister: RegisterId = idOf(0x7fffffff);

/** A register is the number of the instruction whose result it is, or -1 minus that of the parameter. */
export const registers = {
  ofParameter: (at: number): RegisterId => idOf(-1 - at),
  ofInstruction: (at: LocalNodeId): RegisterId => idOf(at),
  isParameter: (register: RegisterId): boolean => register < 0,
  parameter: (register: RegisterId): number => -1 - register,
  instruction: (register: RegisterId): LocalNodeId => idOf(register),
} as const;

/** A call as it is bound to what it may call. */
export interface Call {
  readonly caller: FunctionId;
  /** The instruction. */
  readonly at: LocalNodeId;
  /** The nodes of its arguments; undefined for numbers and nothing. */
  readonly arguments: readonly (PointerId | undefined)[];
  readonly registers: readonly RegisterId[];
  /** How many bytes behind an argument are handed over by value, for those where they are. */
  readonly byValue: ReadonlyMap<number, number>;
  /** Of what kind the arguments are, in the letters of `classOf`. */
  readonly classes: string;
  /** The arguments that are numbers known beforehand. */
  readonly constants: readonly (number | undefined)[];
  readonly result: PointerId;
  /**
   * The functions of the program it may call. Where it is not the call itself but what it calls that calls them: which
   * of its arguments each gets; -1 for none.
   */
  readonly callees: Map<FunctionId, readonly number[] | undefined>;
  /** Functions of the program that run after it because it ends the program. */
  runsAtEnd: readonly FunctionId[];
  /** What functions outside the program do that it may call, and the structs it hands over by value. */
  readonly accesses: Access[];
  /** It may call something outside. */
  isExternal: boolean;
  /** It may call something nothing is known about. */
  isUnknown: boolean;
  isOutput: boolean;
  mayThrow: boolean;
}

/** An access by an instruction of the function itself. */
export interface InstructionAccess extends Access {
  readonly at: LocalNodeId;
}

/** In place of a debug location. */
export const noLocation: MetadataId = idOf(-1);

/** How an activation of a function ends at an instruction. */
export const ending = { none: 0, returns: 1, unwinds: 2 } as const;

/** The instructions of a function, block after block. */
export class Blocks {
  readonly #starts: IntTable<BlockId, LocalNodeId>;

  /** @param starts for each block its first instruction, and after the last block the number of all */
  constructor(starts: IntTable<BlockId, LocalNodeId>) {
    this.#starts = starts;
  }

  /** Its first instruction. */
  start(block: BlockId): LocalNodeId {
    return this.#starts.get(block);
  }

  /** The number after its last instruction. */
  end(block: BlockId): LocalNodeId {
    return this.#starts.get(after(block, 1));
  }

  /** The instruction that ends it. */
  terminator(block: BlockId): LocalNodeId {
    return after(this.end(block), -1);
  }

  /** The block an instruction is in. */
  of(instruction: LocalNodeId): BlockId {
    return lastAtOrBefore(this.#starts.length - 1, (block: BlockId) => this.start(block), instruction);
  }
}

export interface Outline {
  readonly fn: ProgramFunction;
  /** The number of its first instruction among those of the program. */
  readonly first: NodeId;
  readonly instructions: number;
  readonly blocks: Blocks;
  /** For each block those control may go to next. */
  readonly next: Table<BlockId, readonly BlockId[]>;
  /** For each block how many phis it begins with. */
  readonly phis: IntTable<BlockId>;
  /** The registers that instructions read; arguments of calls are not among them. */
  readonly operands: IntLists<LocalNodeId, RegisterId>;
  /** Loads, stores and the like, in order. */
  readonly accesses: readonly InstructionAccess[];
  readonly calls: readonly Call[];
  /** For each instruction its debug location; `noLocation` where it has none. */
  readonly locations: IntTable<LocalNodeId, MetadataId>;
  /** How each block ends an activation. */
  readonly endings: IntTable<BlockId>;
  readonly catches: boolean;
  /** The first instruction's result; the others follow. */
  readonly firstNode: PointerId;
}
