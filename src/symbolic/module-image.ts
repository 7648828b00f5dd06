import type { TracePlan } from '../program/compile/index.js';

/** A bit outside of any address. It marks a function of this module, as opposed to another function of that name. */
const ownBit = 1n << 63n;

export class ModuleImage {
  readonly #addresses = new Map<string, bigint>();
  readonly functions = new Map<number, string>();

  constructor(
    readonly plan: TracePlan,
    addresses: BigUint64Array,
  ) {
    for (const [at, name] of plan.symbols.entries()) {
      const told = addresses[at];
      // Programs built by an earlier culprit record fewer addresses.
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
