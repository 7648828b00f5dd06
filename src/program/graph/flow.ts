/**
 * A function as basic blocks with source lines. The same form whether it was read from the compiler's IR or, without
 * a build, from the source text.
 */

/** Lines count from 1. */
export interface SourceLine {
  /** As the program's build names it; relative to the build's root if it lies inside. */
  readonly file: string;
  readonly line: number;
}

export interface FlowBlock {
  /** Executed lines in source order; empty for blocks that only join others. */
  readonly lines: readonly SourceLine[];
  /** Numbers of the successor blocks, without duplicates; empty if the function or the program ends here. */
  readonly next: readonly number[];
  /** The whole program ends here: exit, abort, an uncaught exception. */
  readonly isLast?: boolean | undefined;
  readonly calls: readonly FlowCall[];
  /** The line of the jump, if the block's end is nothing but a jump: a `break`, or the way back to a loop's head. */
  readonly jump?: SourceLine | undefined;
}

/** A call: a name as written or as the linker knows it, or else a description of the callee. */
export type FlowCall = string | PointerCall | KnownCall;

/** Call through a pointer with unknown targets. */
export interface PointerCall {
  /** Number of arguments. */
  readonly values: number;
}

/** Call in a whole program whose pointers were analysed. */
export interface KnownCall {
  readonly functions: readonly number[];
  /** There are no other callees. */
  readonly isSure: boolean;
}

export interface FlowFunction {
  /** Ids in a whole program; several for the instances of a template. */
  readonly ids?: readonly number[] | undefined;
  /** Number of parameters; undefined if unknown. */
  readonly takes?: ValueCount | undefined;
  readonly name: string;
  /** The linker's name, if it differs. */
  readonly symbol?: string | undefined;
  readonly file: string;
  /** The line of its name; `lastLine` is the line of its closing brace. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly blocks: readonly FlowBlock[];
}

/** Smallest and largest number of arguments of a function. */
export interface ValueCount {
  readonly least: number;
  /** Infinity for variadic functions. */
  readonly most: number;
}
