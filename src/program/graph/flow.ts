/**
 * A function as basic blocks with their lines: what graphs of changes are made of. The same whether it was read from
 * the compiler's IR or, where that cannot be had, from the source alone.
 */

/** A line of a source; lines count from 1. */
export interface SourceLine {
  /** As the program's build names it, relative to its root where it lies inside. */
  readonly file: string;
  readonly line: number;
}

export interface FlowBlock {
  /** Where something is executed in this block, in the order it is written; empty for blocks that only join others. */
  readonly lines: readonly SourceLine[];
  /** Numbers of the blocks control may go to next, each once; none where the function or the program ends. */
  readonly next: readonly number[];
  /** The program ends here, not only the function: exit, abort, an exception nobody catches. */
  readonly isLast?: boolean | undefined;
  /** What it calls, in the order it does. */
  readonly calls: readonly FlowCall[];
  /** Where the jump is written that ends it, if that is all its end does: a `break`, or what a loop goes back for. */
  readonly jump?: SourceLine | undefined;
}

/** A call: a name as it is written or as the linker has it, or what else is known of what is called. */
export type FlowCall = string | PointerCall | KnownCall;

/** Through a pointer nothing is known of. */
export interface PointerCall {
  /** How many values are handed over. */
  readonly values: number;
}

/** Of a whole program, where what pointers point to was worked out. */
export interface KnownCall {
  /** Numbers of the functions it may go to. */
  readonly functions: readonly number[];
  /** It goes to no other. */
  readonly isSure: boolean;
}

export interface FlowFunction {
  /** Its numbers in a whole program: several where more than one was made from a template. */
  readonly ids?: readonly number[] | undefined;
  /** What it takes; undefined where that is not said. */
  readonly takes?: ValueCount | undefined;
  readonly name: string;
  /** What the linker calls it, where that is another name. */
  readonly symbol?: string | undefined;
  readonly file: string;
  /** From the line of its name to that of its closing brace. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The entry first. */
  readonly blocks: readonly FlowBlock[];
}

/** As many values as a function takes. */
export interface ValueCount {
  readonly least: number;
  /** Infinity for a function of as many as one likes. */
  readonly most: number;
}
