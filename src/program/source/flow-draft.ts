import type { FlowBlock, FlowCall } from '../graph/index.js';

/** A block that is still being written. What comes more than once stands in its lists more than once. */
export interface BlockDraft {
  readonly lines: number[];
  readonly next: BlockDraft[];
  readonly calls: DraftCall[];
  /** Something leads here. */
  isTarget: boolean;
  /** The program ends here. */
  isLast: boolean;
  /** Its number, once it has its place among the others. */
  number: number;
}

/** A call, before it is known which names are those of variables. */
export interface DraftCall {
  /** Undefined where what is called has none, or is a member of a struct. */
  readonly name: string | undefined;
  readonly values: number;
}

/**
 * The blocks of one function as they come to be, the way clang lays them out without optimizing: every branch and
 * join is a block of its own, even where nothing is executed in it.
 */
export class FlowDraft {
  private readonly drafts: BlockDraft[] = [];
  private readonly returning: BlockDraft[] = [];
  /** Where code goes that comes next; nothing after a jump. */
  private current: BlockDraft | undefined;

  constructor() {
    this.begin(this.create());
  }

  /** A block without a place yet. */
  create(): BlockDraft {
    return { lines: [], next: [], calls: [], isTarget: false, isLast: false, number: -1 };
  }

  /** Does control come to this place? */
  isOpen(): boolean {
    return this.current !== undefined;
  }

  /** The block of the code that comes next. Dead code gets one of its own, so that every statement is somewhere. */
  here(): BlockDraft {
    if (this.current === undefined) this.begin(this.create());
    return this.current ?? this.create();
  }

  /** Gives a block its place. */
  place(draft: BlockDraft): void {
    if (draft.number !== -1) return;
    draft.number = this.drafts.length;
    this.drafts.push(draft);
  }

  /** Goes on in a block that only others jump to. */
  begin(draft: BlockDraft): void {
    this.place(draft);
    this.current = draft;
  }

  /** Goes on in a block into which the code before falls. */
  enter(draft: BlockDraft): void {
    this.jump(draft);
    this.begin(draft);
  }

  /** The same where ways meet again; if none leads there, nothing follows. */
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

  /** Ends the program, or at least this function in a way its caller does not see. */
  end(): void {
    if (this.current !== undefined) this.current.isLast = true;
    this.current = undefined;
  }

  /**
   * The blocks by number. Nothing can be written after this.
   *
   * @param isVariable which names are those of variables: a call of one goes through a pointer
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

  /** Several ways out of a function meet in one last block; a single one is its end. */
  private joinReturns(): void {
    const reached = this.reached();
    const { current } = this;
    const falling = current !== undefined && reached.has(current) ? current : undefined;
    const isEmpty = falling !== undefined && falling.lines.length === 0 && falling.number !== 0;
    const ways = this.returning.filter((draft) => reached.has(draft)).length;
    if (ways === 0 || (ways === 1 && falling === undefined)) return;
    let last = falling;
    if (!isEmpty || last === undefined) {
      last = this.create();
      this.enter(last);
    }
    for (const draft of this.returning) link(draft, last);
  }

  private reached(): Set<BlockDraft> {
    const reached = new Set(this.drafts.slice(0, 1));
    // A set goes on to what is added while it is walked.
    for (const draft of reached) for (const next of draft.next) reached.add(next);
    return reached;
  }
}

/** The numbers of blocks, each once. A label that is nowhere has none. */
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
