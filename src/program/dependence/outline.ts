/** What the analyses need of a function, in little room: its instructions need not be kept for it. */

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
  /** The node of the pointer. */
  readonly pointer: number;
  /** Infinity where it goes on to the end of the object. */
  readonly bytes: number;
  readonly does: number;
}

/** No register of the function: a constant, or nothing. */
export const noRegister = 0x7fffffff;

/**
 * A register of a function: the number of the instruction whose result it is, or -1 minus the number of the
 * parameter.
 */
export type Register = number;

/** A call as it is bound to what it may call. */
export interface Call {
  readonly caller: number;
  /** The instruction. */
  readonly at: number;
  /** What it calls, where that is not known by name. */
  readonly callee: Register;
  /** The nodes of its arguments; undefined for numbers and nothing. */
  readonly arguments: readonly (number | undefined)[];
  readonly registers: readonly Register[];
  /** How many bytes behind an argument are handed over by value, for those where they are. */
  readonly byValue: ReadonlyMap<number, number>;
  /** Of what kind the arguments are, in the letters of `classOf`. */
  readonly classes: string;
  /** The arguments that are numbers known beforehand. */
  readonly constants: readonly (number | undefined)[];
  /** The node of its result. */
  readonly result: number;
  /**
   * The functions of the program it may call. Where it is not the call itself but what it calls that calls them: which
   * of its arguments each gets; -1 for none.
   */
  readonly callees: Map<number, readonly number[] | undefined>;
  /** Functions of the program that run after it because it ends the program. */
  runsAtEnd: readonly number[];
  /** What functions outside the program do that it may call, and the structs it hands over by value. */
  readonly accesses: Access[];
  /** It may call something outside. */
  isExternal: boolean;
  /** It may call something nothing is known about. */
  isUnknown: boolean;
  isOutput: boolean;
  mayThrow: boolean;
}

/** How an activation of a function ends at an instruction. */
export const ending = { none: 0, returns: 1, unwinds: 2 } as const;

export interface Outline {
  readonly fn: ProgramFunction;
  /** The number of its first instruction among those of the program. */
  readonly first: number;
  readonly instructions: number;
  /** For each block its first instruction, and after the last block the number of all. */
  readonly blockStarts: Int32Array;
  readonly next: readonly (readonly number[])[];
  /** For each block how many phis it begins with. */
  readonly phis: Int32Array;
  /** The registers each instruction reads: those from `operandStarts[i]` on. Arguments of calls are not among them. */
  readonly operandStarts: Int32Array;
  readonly operands: Int32Array;
  /** Loads, stores and the like, in order: the instruction, and what it does. */
  readonly accessAt: Int32Array;
  readonly accesses: readonly Access[];
  readonly calls: readonly Call[];
  /** For each instruction its place in the debug information; -1 for none. */
  readonly places: Int32Array;
  /** How each block ends an activation. */
  readonly endings: Uint8Array;
  readonly catches: boolean;
  /** The node of the first instruction's result; the others follow. */
  readonly firstNode: number;
}

/** The block an instruction is in. */
export function blockOf({ blockStarts }: Outline, instruction: number): number {
  let [low, high] = [0, blockStarts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((blockStarts[middle] as number) <= instruction) low = middle;
    else high = middle - 1;
  }
  return low;
}
