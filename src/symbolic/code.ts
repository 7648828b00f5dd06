/** Functions as a replay executes them: instructions with their operands as places of registers. */

import type { FunctionPlan, Leaf } from '../program/compile/index.js';
import type { Instruction } from '../program/ir/index.js';
import type { ModuleImage } from './module-image.js';

/** What a step does. Numbers, so that choosing among them is a jump. */
export const does = {
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
  catch: 26,
  jump: 27,
  branch: 28,
  choose: 29,
  indirect: 30,
  return: 31,
  resume: 32,
  unreachable: 33,
  intrinsic: 34,
  nothing: 35,
  land: 36,
} as const;

/** An instruction of a function, or a parameter of it. */
export interface Step {
  /** Its place among all steps of the replay. */
  readonly number: number;
  readonly code: Code;
  readonly does: number;
  /** Undefined for a parameter. */
  readonly instruction: Instruction | undefined;
  /** Which parameter; 0 for instructions. */
  readonly parameter: number;
  readonly block: number;
  /** The register of its result, or -1. */
  readonly result: number;
  /** Its operands: registers of the function, or constants below zero. */
  readonly operands: Int32Array;
  /** Which of the operations of its kind. */
  readonly kind: string;
  /** Of what it computes with. */
  readonly bits: number;
  /** Bytes in memory, or an offset. */
  readonly bytes: number;
  /** Of an address: the bytes for each of the operands after the first. Of leaves: where each is in memory. */
  readonly strides: readonly number[];
  /** Of what is recorded, or moved, where that is no plain number. */
  readonly leaves: readonly Leaf[];
  /** Blocks it may lead to; of a choice the first is for all values that are not among its cases. */
  readonly targets: readonly number[];
  readonly cases: ReadonlyMap<number, number>;
  /** A call of code outside, whatever is at the address. */
  readonly isOutside: boolean;
  /** A call that never returns. */
  readonly isLast: boolean;
}

export interface BlockCode {
  readonly label: string;
  /** Its first step that is no phi. */
  readonly start: number;
  readonly phis: readonly Phi[];
}

export interface Phi {
  readonly step: Step;
  /** By the block that came before. */
  readonly operands: ReadonlyMap<number, number>;
}

/** What a function is to a replay. */
export interface Code {
  readonly image: ModuleImage;
  readonly plan: FunctionPlan;
  readonly steps: readonly Step[];
  readonly parameters: readonly Step[];
  readonly blocks: readonly BlockCode[];
  /** How many registers an activation has. */
  readonly registers: number;
  /** Registers of the addresses of a thread's variables, and of what is inside them. */
  readonly threadLocals: readonly {
    readonly register: number;
    readonly name: string;
    readonly offset: bigint;
  }[];
  /** Where its landing pads, and its calls that return again, stand among the steps. */
  readonly pads: readonly number[];
  readonly jumpCalls: readonly number[];
}
