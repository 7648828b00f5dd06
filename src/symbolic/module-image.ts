/** A module at the addresses it had when it ran. */

import type { TracePlan } from '../program/compile/index.js';

/** A bit that no address has says that a function is the module's own, and not another one of its name. */
const ownBit = 1n << 63n;

export class ModuleImage {
  readonly #addresses = new Map<string, bigint>();
  /** By address, the names of the functions that are really here. */
  readonly functions = new Map<number, string>();

  constructor(
    readonly plan: TracePlan,
    addresses: BigUint64Array,
  ) {
    for (const [at, name] of plan.symbols.entries()) {
      const told = addresses[at];
      // A program that was built by an earlier culprit tells fewer.
      if (told === undefined) break;
      const address = told & ~ownBit;
      this.#addresses.set(name, address);
      if (told !== address) this.functions.set(Number(address), name);
    }
  }

  addressOf(name: string): bigint | undefined {
    return this.#addresses.get(name);
  }

  *names(): Generator<[name: string, address: number]> {
    for (const [name, address] of this.#addresses) yield [name, Number(address)];
  }
}
