/** Functions decoded for the replay: instructions with their operands as register indices. */

import type { FunctionPlan, ScalarLeaf } from '../program/compile/index.js';
import type { Instruction } from '../program/ir/index.js';
import type { ModuleImage } from './module-image.js';

/** Numbers, so that the dispatch on them is an array access. */
export const Opcode = {
  enter: 0,
  parameter: 1,
  integer: 2,
  float: 3,
  compareIntegers: 4,
  compareFloats: 5,
  cast: 6,
  copy: 7,
  negate: 8,
  privateAlloca: 9,
  frameAlloca: 10,
  stackAlloca: 11,
  privateLoad: 12,
  load: 13,
  wideLoad: 14,
  privateStore: 15,
  store: 16,
  wideStore: 17,
  element: 18,
  phi: 19,
  select: 20,
  call: 21,
  jumpCall: 22,
  recorded: 23,
  extract: 24,
  insert: 25,
  landingPad: 26,
  jump: 27,
  branch: 28,
  switch: 29,
  indirectJump: 30,
  return: 31,
  resume: 32,
  unreachable: 33,
  intrinsic: 34,
  nothing: 35,
  enterPad: 36,
} as const;

export interface Step {
  readonly number: number;
  readonly code: FunctionCode;
  readonly opcode: number;
  readonly instruction: Instruction | undefined;
  /** Index of the parameter; 0 for instructions. */
  readonly parameter: number;
  readonly block: number;
  /** The register of its result, or -1. */
  readonly result: number;
  /** Registers of the function; constants are below zero. */
  readonly operands: Int32Array;
  readonly kind: string;
  /** Width of its operands. */
  readonly bits: number;
  /** A number of bytes in memory, or an offset. */
  readonly bytes: number;
  /** For an address: the stride of each operand after the first. For leaves: their offsets in memory. */
  readonly strides: readonly number[];
  /** The scalars of a recorded or stored value that is no plain number. */
  readonly leaves: readonly ScalarLeaf[];
  /** Possible successor blocks; the first one of a switch is its default. */
  readonly targets: readonly number[];
  readonly cases: ReadonlyMap<number, number>;
  /** Calls untraced code, whatever function is at the address. */
  readonly isOutside: boolean;
  readonly isLast: boolean;
}

export interface BlockCode {
  readonly label: string;
  readonly start: number;
  readonly phis: readonly Phi[];
}

export interface Phi {
  readonly step: Step;
  readonly operands: ReadonlyMap<number, number>;
}

export interface FunctionCode {
  readonly image: ModuleImage;
  readonly plan: FunctionPlan;
  readonly steps: readonly Step[];
  readonly parameters: readonly Step[];
  readonly blocks: readonly BlockCode[];
  readonly registers: number;
  /** Registers with the addresses of thread-local variables, or of parts of them. */
  readonly threadLocals: readonly {
    readonly register: number;
    readonly name: string;
    readonly offset: bigint;
  }[];
  /** Indices of the landing pads, and of the calls that may return twice. */
  readonly pads: readonly number[];
  readonly jumpCalls: readonly number[];
}
