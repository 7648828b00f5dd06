/** Reads values from a record into `low` and `high`, 32 bits each, as registers hold them. */

import { type ScalarLeaf, wordsOf } from '../program/compile/index.js';
import type { Stream } from './stream.js';
import { reverseBytes } from './values/floats.js';
import { bigOf, Integers, truncate, truncateHigh } from './values/integers.js';
import type { WideValues } from './values/wide-values.js';

export class RecordedValues {
  low = 0;
  high = 0;
  readonly #integers = new Integers();
  readonly #referenceLow: number;
  readonly #referenceHigh: number;

  /** @param stackReference stack addresses are recorded relative to it */
  constructor(
    private readonly stream: Stream,
    private readonly wides: WideValues,
    stackReference: bigint,
  ) {
    this.#referenceLow = Number(BigInt.asIntN(32, stackReference));
    this.#referenceHigh = Number(BigInt.asIntN(32, stackReference >> 32n));
  }

  takeLeaf({ form, bits }: ScalarLeaf): void {
    const { stream } = this;
    stream.takeNumber();
    if (form === 'float') {
      this.low = reverseBytes(bits === 32 ? stream.low : stream.high);
      this.high = bits === 32 ? 0 : reverseBytes(stream.low);
    } else {
      this.low = truncate(stream.low, bits);
      this.high = truncateHigh(stream.high, bits);
    }
  }

  takeParts(leaves: readonly ScalarLeaf[]): readonly bigint[] {
    return leaves.map((leaf) => {
      if (leaf.form !== 'wide') {
        this.takeLeaf(leaf);
        return bigOf(this.low, this.high);
      }
      let value = 0n;
      for (let word = 0; word < wordsOf(leaf); word++) {
        this.stream.takeNumber();
        value |= bigOf(this.stream.low, this.stream.high) << BigInt(64 * word);
      }
      return BigInt.asUintN(leaf.bits, value);
    });
  }

  /** Reads the result of a step, as its register holds it. */
  takeResult({ leaves }: { readonly leaves: readonly ScalarLeaf[] }): void {
    const [only] = leaves;
    if (leaves.length === 1 && only !== undefined && only.form !== 'wide' && only.path.length === 0)
      this.takeLeaf(only);
    else {
      this.low = this.wides.add(this.takeParts(leaves));
      this.high = 0;
    }
  }

  takeStackAddress(): void {
    this.stream.takeNumber();
    const { low, high } = this.stream;
    this.low = this.#integers.binary('sub', 64, this.#referenceLow, this.#referenceHigh, low, high);
    this.high = this.#integers.high;
  }
}
