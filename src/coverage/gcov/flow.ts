/**
 * Derives the counts of all blocks and arcs of a function from the counted arcs by flow conservation. The order of
 * steps is the same for every run, so it is computed once. It equals gcov's order, because counts contradict each
 * other if a run was killed within a function.
 */

import type { Arc, NotedFunction } from './notes.js';

export interface Flow {
  /** Counted arcs, in the order of their counters. */
  readonly counted: readonly number[];
  /** Derivations, in order. */
  readonly steps: readonly FlowStep[];
  /** Arcs whose sum is the count of each block; none for a block with unknown count. */
  readonly blocks: readonly (readonly number[])[];
  readonly leaving: readonly (readonly number[])[];
  readonly entering: readonly (readonly number[])[];
}

/** The count of an arc is the sum of some arcs minus the sum of others. */
export interface FlowStep {
  readonly arc: number;
  readonly plus: readonly number[];
  readonly minus: readonly number[];
}

const entry = 0;
const exit = 1;
/** The entry and the exit are empty blocks and come first. */
export const endBlocks = 2;

export function flowOf({ blocks: size, arcs }: Pick<NotedFunction, 'blocks' | 'arcs'>): Flow {
  const leaving: number[][] = Array.from({ length: size }, () => []);
  const entering: number[][] = Array.from({ length: size }, () => []);
  arcs.forEach(({ from, to }, arc) => {
    leaving[from]?.push(arc);
    entering[to]?.push(arc);
  });
  const counted = leaving.flat().filter((arc) => arcs[arc]?.isOnTree === false);
  for (const list of leaving) list.sort((a, b) => (arcs[a]?.to ?? 0) - (arcs[b]?.to ?? 0));
  return { counted, leaving, entering, ...new Propagation(arcs, leaving, entering).run() };
}

class Propagation {
  readonly #isKnown: boolean[];
  /** Number of unknown arcs on each side of a block. The missing sides of entry and exit allow no derivation. */
  readonly #unknownLeaving: number[];
  readonly #unknownEntering: number[];
  readonly #blocks: (readonly number[])[];
  readonly #isBlockKnown: boolean[];
  readonly #steps: FlowStep[] = [];
  readonly #unknownBlocks: UniqueStack;
  readonly #knownBlocks: UniqueStack;

  constructor(
    private readonly arcs: readonly Arc[],
    private readonly leaving: readonly (readonly number[])[],
    private readonly entering: readonly (readonly number[])[],
  ) {
    this.#isKnown = arcs.map(({ isOnTree }) => !isOnTree);
    const unknownAmong = (list: readonly number[]): number =>
      list.filter((arc) => this.#isKnown[arc] === false).length;
    this.#unknownLeaving = leaving.map(unknownAmong);
    this.#unknownEntering = entering.map(unknownAmong);
    if (entering[entry]?.length === 0) this.#unknownEntering[entry] = Number.POSITIVE_INFINITY;
    if (leaving[exit]?.length === 0) this.#unknownLeaving[exit] = Number.POSITIVE_INFINITY;
    this.#blocks = leaving.map(() => []);
    this.#isBlockKnown = leaving.map(() => false);
    this.#unknownBlocks = new UniqueStack(leaving.length);
    this.#knownBlocks = new UniqueStack(leaving.length);
    for (let block = 0; block < leaving.length; block++) this.#unknownBlocks.push(block);
  }

  run(): Pick<Flow, 'steps' | 'blocks'> {
    while (!this.#unknownBlocks.isEmpty || !this.#knownBlocks.isEmpty) {
      for (let block = this.#unknownBlocks.pop(); block >= 0; block = this.#unknownBlocks.pop())
        this.#deriveBlock(block);
      for (let block = this.#knownBlocks.pop(); block >= 0; block = this.#knownBlocks.pop()) {
        if (this.#unknownLeaving[block] === 1) this.#deriveLastArc(block, this.leaving);
        if (this.#unknownEntering[block] === 1) this.#deriveLastArc(block, this.entering);
      }
    }
    return { steps: this.#steps, blocks: this.#blocks };
  }

  /** Derives the count of a block if all arcs on one side are known. */
  #deriveBlock(block: number): void {
    const side =
      this.#unknownLeaving[block] === 0
        ? this.leaving
        : this.#unknownEntering[block] === 0
          ? this.entering
          : undefined;
    if (side === undefined) return;
    this.#blocks[block] = side[block] ?? [];
    this.#isBlockKnown[block] = true;
    this.#knownBlocks.push(block);
  }

  /** Derives the only unknown arc on one side of a known block. */
  #deriveLastArc(block: number, side: readonly (readonly number[])[]): void {
    const arc = side[block]?.find((candidate) => this.#isKnown[candidate] === false);
    if (arc === undefined) return;
    const minus = side[block]?.filter((other) => other !== arc) ?? [];
    this.#steps.push({ arc, plus: this.#blocks[block] ?? [], minus });
    this.#isKnown[arc] = true;
    const { from, to } = this.arcs[arc] as Arc;
    this.#unknownLeaving[from] = (this.#unknownLeaving[from] ?? 0) - 1;
    this.#unknownEntering[to] = (this.#unknownEntering[to] ?? 0) - 1;
    if (side === this.leaving) this.#queueBlock(to, this.#unknownEntering);
    else this.#queueBlock(from, this.#unknownLeaving);
  }

  /** Queues a block for derivation after one of its arcs became known. */
  #queueBlock(block: number, unknown: readonly number[]): void {
    if (this.#isBlockKnown[block]) {
      if (unknown[block] === 1) this.#knownBlocks.push(block);
    } else if (unknown[block] === 0) this.#unknownBlocks.push(block);
  }
}

/** A stack without duplicates. */
class UniqueStack {
  readonly #numbers: number[] = [];
  readonly #isIn: boolean[];

  constructor(size: number) {
    this.#isIn = new Array<boolean>(size).fill(false);
  }

  get isEmpty(): boolean {
    return this.#numbers.length === 0;
  }

  push(number: number): void {
    if (this.#isIn[number]) return;
    this.#isIn[number] = true;
    this.#numbers.push(number);
  }

  /** Returns -1 if it is empty. */
  pop(): number {
    const number = this.#numbers.pop() ?? -1;
    if (number >= 0) this.#isIn[number] = false;
    return number;
  }
}
