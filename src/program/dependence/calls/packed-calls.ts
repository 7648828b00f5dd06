import { type BlockId, idOf } from '../../graph/index.js';

export interface BlockCall<Called extends number> {
  readonly block: BlockId;
  readonly called: Called;
}

export class PackedCalls<Called extends number> implements Iterable<BlockCall<Called>> {
  readonly #numbers: Int32Array;

  constructor(calls: readonly BlockCall<Called>[]) {
    this.#numbers = new Int32Array(calls.length * 2);
    for (const [at, { block, called }] of calls.entries()) {
      this.#numbers[at * 2] = block;
      this.#numbers[at * 2 + 1] = called;
    }
  }

  *[Symbol.iterator](): Generator<BlockCall<Called>> {
    const numbers = this.#numbers;
    for (let at = 0; at < numbers.length; at += 2)
      yield { block: idOf(numbers[at] ?? 0), called: (numbers[at + 1] ?? 0) as Called };
  }
}
