/**
 * The registers of all activations, with 64 bits each and the instance that set them. Constants have registers too.
 */

import { nowhere } from './instances.js';

/** Constants come before the registers of functions. */
const mostConstants = 1 << 20;

export class Registers {
  lows = new Int32Array(mostConstants * 2);
  highs = new Int32Array(mostConstants * 2);
  definitions = new Int32Array(mostConstants * 2).fill(nowhere);
  readonly bottom = mostConstants;
  readonly #constants = new Map<string, number>();

  /** The operand that stands for a constant. It is below zero, unlike registers. */
  constant(low: number, high: number): number {
    const key = `${low},${high}`;
    let place = this.#constants.get(key);
    if (place === undefined) {
      place = this.#constants.size;
      if (place === mostConstants)
        throw new RangeError('the program has more constants than a replay can hold');
      this.#constants.set(key, place);
      this.lows[place] = low;
      this.highs[place] = high;
    }
    return ~place;
  }

  /** Grows the arrays up to a register index. */
  reserve(end: number): void {
    if (end <= this.lows.length) return;
    const length = Math.max(end, this.lows.length * 2);
    this.lows = longer(this.lows, length);
    this.highs = longer(this.highs, length);
    this.definitions = longer(this.definitions, length);
  }
}

function longer(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
