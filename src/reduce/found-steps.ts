/**
 * Steps that are looked for only when one is asked for, and remembered: in a large formula the first one can be tried
 * long before the last one is found.
 *
 * @example
 * const steps = new FoundSteps(simplificationsInTurn(script));
 * while (!steps.has(3) && steps.lookOn()) if (breath.isDue) await breath.taken();
 * steps.at(3); // undefined: there are no four
 */
export class FoundSteps<Found> {
  readonly #found: Found[] = [];
  readonly #source: Iterator<Found | undefined>;
  #isComplete = false;

  /** @param source undefined where finding the next one takes long */
  constructor(source: Iterable<Found | undefined>) {
    this.#source = source[Symbol.iterator]();
  }

  /** How many there are as far as is known; all of them once there is nothing to look for any more. */
  get count(): number {
    return this.#found.length;
  }

  has(at: number): boolean {
    return at < this.#found.length;
  }

  at(at: number): Found | undefined {
    return this.#found[at];
  }

  /** Looks a little further; false if there is nothing left to find. */
  lookOn(): boolean {
    if (this.#isComplete) return false;
    const { done, value } = this.#source.next();
    if (done === true) this.#isComplete = true;
    else if (value !== undefined) this.#found.push(value);
    return !this.#isComplete;
  }
}
