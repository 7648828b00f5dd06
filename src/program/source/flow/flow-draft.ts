import type { FlowBlock, FlowCall } from '../../graph/index.js';

/** A block under construction. Its lists may contain duplicates. */
export interface BlockDraft {
  readonly lines: number[];
  readonly next: BlockDraft[];
  readonly calls: DraftCall[];
  isTarget: boolean;
  isLast: boolean;
  /** Its number once it is placed; -1 before. */
  number: number;
}

/** A call, before the variables of the function are known. */
export interface DraftCall {
  /** Undefined if the callee has no name or is a member of a struct. */
  readonly name: string | undefined;
  readonly values: number;
}

/**
 * The blocks of one function under construction, laid out like clang's without optimization: every branch and every
 * join is a block, even if it executes nothing.
 */
export class FlowDraft {
  private readonly drafts: BlockDraft[] = [];
  private readonly returning: BlockDraft[] = [];
  /** The block that receives the next code; undefined after a jump. */
  private current: BlockDraft | undefined;

  constructor() {
    this.begin(this.create());
  }

  create(): BlockDraft {
    return { lines: [], next: [], calls: [], isTarget: false, isLast: false, number: -1 };
  }

  /** Can control reach this point? */
  isReachable(): boolean {
    return this.current !== undefined;
  }

  /** The block of the next code. Unreachable code gets a block of its own, so that every statement has one. */
  currentBlock(): BlockDraft {
    if (this.current === undefined) this.begin(this.create());
    return this.current ?? this.create();
  }

  place(draft: BlockDraft): void {
    if (draft.number !== -1) return;
    draft.number = this.drafts.length;
    this.drafts.push(draft);
  }

  /** Continues in a block that is reached only by jumps. */
  begin(draft: BlockDraft): void {
    this.place(draft);
    this.current = draft;
  }

  /** Continues in a block that the current one falls through to. */
  enter(draft: BlockDraft): void {
    this.jump(draft);
    this.begin(draft);
  }

  /** Like `enter`, but unreachable if no other block leads there. */
  join(draft: BlockDraft): void {
    this.jump(draft);
    if (draft.isTarget) this.begin(draft);
  }

  jump(...targets: readonly BlockDraft[]): void {
    if (this.current !== undefined) for (const target of targets) link(this.current, target);
    this.current = undefined;
  }

  return(): void {
    if (this.current !== undefined) this.returning.push(this.current);
    this.current = undefined;
  }

  /** Ends the program, or leaves the function without returning to its caller. */
  end(): void {
    if (this.current !== undefined) this.current.isLast = true;
    this.current = undefined;
  }

  /**
   * The finished blocks by number. Nothing may be added afterwards.
   *
   * @param isVariable recognizes variables: a call of one goes through a pointer
   */
  finish(file: string, isVariable: (name: string) => boolean): FlowBlock[] {
    const callOf = ({ name, values }: DraftCall): FlowCall =>
      name === undefined || isVariable(name) ? { values } : name;
    this.joinReturns();
    return this.drafts.map(({ lines, next, isLast, calls }) => ({
      lines: once(lines)
        .sort((a, b) => a - b)
        .map((line) => ({ file, line })),
      next: numbersOf(next),
      isLast,
      calls: calls.map(callOf),
    }));
  }

  /** Several exits of a function meet in one last block; a single exit is the last block. */
  private joinReturns(): void {
    const reached = this.reached();
    const { current } = this;
    const falling = current !== undefined && reached.has(current) ? current : undefined;
    const isEmpty = falling !== undefined && falling.lines.length === 0 && falling.number !== 0;
    const exits = this.returning.filter((draft) => reached.has(draft)).length;
    if (exits === 0 || (exits === 1 && falling === undefined)) return;
    let last = falling;
    if (!isEmpty || last === undefined) {
      last = this.create();
      this.enter(last);
    }
    for (const draft of this.returning) link(draft, last);
  }

  private reached(): Set<BlockDraft> {
    const reached = new Set(this.drafts.slice(0, 1));
    // Iteration over a set includes members added meanwhile.
    for (const draft of reached) for (const next of draft.next) reached.add(next);
    return reached;
  }
}

/** The numbers of blocks without duplicates. The block of an undefined label has none. */
export function numbersOf(drafts: readonly BlockDraft[]): number[] {
  return once(drafts.filter(({ number }) => number !== -1).map(({ number }) => number));
}

export function once<T>(items: readonly T[]): T[] {
  return items.length < 2 ? [...items] : [...new Set(items)];
}

export function link(from: BlockDraft, to: BlockDraft): void {
  from.next.push(to);
  to.isTarget = true;
}
