/** The registers of all activations and of constants, with 64 bits each and the instance that set them. */

import { getOrCreate } from '../program/graph/index.js';
import { grown, nowhere } from './instances.js';

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
    return ~getOrCreate(this.#constants, `${low},${high}`, () => {
      const place = this.#constants.size;
      if (place === mostConstants)
        throw new RangeError(`a replay can hold ${mostConstants} constants, and the program has more`);
      this.lows[place] = low;
      this.highs[place] = high;
      return place;
    });
  }

  reserve(end: number): void {
    if (end <= this.lows.length) return;
    const length = Math.max(end, this.lows.length * 2);
    this.lows = grown(this.lows, length);
    this.highs = grown(this.highs, length);
    this.definitions = grown(this.definitions, length);
  }
}
